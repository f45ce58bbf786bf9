import { engineHome } from './environment';
import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import {
	BinaryDataConfig,
	BinaryDataService,
	DataDeduplicationService,
	ErrorReporter,
	InstanceSettings,
} from 'n8n-core';
import type { LogMetadata } from 'n8n-workflow';
import { join } from 'node:path';
import { MemoryDeduplicator } from './deduplication';
import { currentScope, type BinaryMode } from './scope';

const LEVELS = ['error', 'warn', 'info', 'debug'] as const;

/** Redirects n8n's logger from the terminal to the log of the running execution. */
function recordLogs(): void {
	const logger = Container.get(Logger);
	for (const level of LEVELS) {
		logger[level] = (message: string, metadata?: LogMetadata) => {
			currentScope()?.logs.push({ level, message, metadata });
		};
	}
	logger.scoped = () => logger;
}

async function startBinaryData(mode: BinaryMode): Promise<BinaryDataService> {
	const config = Object.assign(Object.create(Container.get(BinaryDataConfig)), {
		mode: mode === 'memory' ? 'default' : 'filesystem',
		localStoragePath: join(engineHome, 'binary'),
	});
	const service = new BinaryDataService(
		config,
		Container.get(ErrorReporter),
		Container.get(Logger),
	);
	await service.init();
	return service;
}

/** Gives the engine a binary data service that, in each execution, acts as the service of that execution's mode. */
async function offerBothBinaryModes(): Promise<void> {
	const services = {
		memory: await startBinaryData('memory'),
		filesystem: await startBinaryData('filesystem'),
	};
	const chosen = new Proxy(services.filesystem, {
		get(_, name, receiver) {
			return Reflect.get(services[currentScope()?.binaryMode ?? 'filesystem'], name, receiver);
		},
	});
	Container.set(BinaryDataService, chosen);
}

async function start(): Promise<void> {
	recordLogs();
	Container.get(InstanceSettings).markAsLeader();
	await offerBothBinaryModes();
	await DataDeduplicationService.init(new MemoryDeduplicator());
}

let started: Promise<void> | undefined;

/** Starts, once per process, what n8n starts before its engine: settings, log, binary data, deduplication. */
export async function startServices(): Promise<void> {
	started ??= start();
	await started;
}
