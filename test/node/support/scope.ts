import { AsyncLocalStorage } from 'node:async_hooks';
import type { LogMetadata } from 'n8n-workflow';

/** Where n8n keeps binary data: in the item itself, or in files (n8n's default). */
export type BinaryMode = 'memory' | 'filesystem';

/** A line that a node or the engine wrote to n8n's log. */
export interface LogLine {
	level: 'error' | 'warn' | 'info' | 'debug';
	message: string;
	metadata?: LogMetadata;
}

/**
 * What n8n-core keeps once per process although it belongs to one execution. Stored in async context, so that several
 * executions can run at the same time.
 */
export interface Scope {
	binaryMode: BinaryMode;
	logs: LogLine[];
}

const scopes = new AsyncLocalStorage<Scope>();

/** A scope with an empty log. */
export function newScope(binaryMode: BinaryMode = 'filesystem'): Scope {
	return { binaryMode, logs: [] };
}

/** The scope of the running execution; undefined outside of any. */
export function currentScope(): Scope | undefined {
	return scopes.getStore();
}

/** Runs `work`, and everything that it starts, within the scope. */
export function within<T>(scope: Scope, work: () => T): T {
	return scopes.run(scope, work);
}
