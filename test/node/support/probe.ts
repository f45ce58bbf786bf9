import {
	NodeApiError,
	NodeOperationError,
	type ICredentialType,
	type IExecuteFunctions,
	type ILoadOptionsFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type JsonObject,
} from 'n8n-workflow';

/** A credential for the harness's own tests: a token in a header, set by an expression. */
export class ProbeApi implements ICredentialType {
	name = 'probeApi';

	displayName = 'Probe API';

	properties: ICredentialType['properties'] = [
		{ displayName: 'Address', name: 'address', type: 'string', default: '' },
		{ displayName: 'Token', name: 'token', type: 'string', default: '' },
		{ displayName: 'Unit', name: 'unit', type: 'string', default: 'none' },
	];

	authenticate: ICredentialType['authenticate'] = {
		type: 'generic',
		properties: { headers: { 'X-Token': '={{ $credentials.token.trim() }}' } },
	};
}

/** What the probe does for one item. */
type Deed = (context: IExecuteFunctions, index: number) => Promise<INodeExecutionData>;

const DEEDS: Record<string, Deed> = {
	/** Returns what the parameters resolve to. */
	async read(context, index) {
		const value = context.getNodeParameter('value', index);
		const mode = context.getMode();
		return await Promise.resolve({ json: { value, mode } });
	},
	/** Sends `value` to the credential's address. */
	async send(context, index) {
		const { address } = await context.getCredentials<{ address: string }>('probeApi', index);
		const value = context.getNodeParameter('value', index);
		try {
			const answer = await context.helpers.httpRequestWithAuthentication.call(context, 'probeApi', {
				url: address,
				method: 'POST',
				body: { value },
				json: true,
			});
			return { json: { answer } };
		} catch (error) {
			const failure: JsonObject = { message: error instanceof Error ? error.message : 'unknown' };
			throw new NodeApiError(context.getNode(), failure, {
				itemIndex: index,
				message: 'The probe was refused',
				httpCode: '418',
			});
		}
	},
	async fail(context, index) {
		context.logger.warn('About to fail', { index });
		throw await Promise.resolve(
			new NodeOperationError(context.getNode(), `Item ${index} fails`, {
				itemIndex: index,
				description: 'Do not ask it to',
			}),
		);
	},
	/** Writes `value` into a binary field and adds a hint. */
	async write(context, index) {
		const content = Buffer.from(String(context.getNodeParameter('value', index)));
		const data = await context.helpers.prepareBinaryData(content, 'probe.txt', 'text/plain');
		context.addExecutionHints({ message: 'A file was written', location: 'outputPane' });
		return { json: {}, binary: { data } };
	},
	/** Returns the length of the binary field `data`. */
	async measure(context, index) {
		const buffer = await context.helpers.getBinaryDataBuffer(index, 'data');
		const { id } = context.helpers.assertBinaryData(index, 'data');
		return { json: { length: buffer.length, inFile: id !== undefined } };
	},
	/** Returns whether `value` was never given before. */
	async remember(context, index) {
		const value = String(context.getNodeParameter('value', index));
		const { new: fresh } = await context.helpers.checkProcessedAndRecord([value], 'node', {
			mode: 'entries',
			maxEntries: 2,
		});
		return { json: { value, fresh: fresh.length > 0 } };
	},
	/** Ends only when the execution is canceled. */
	async wait(context) {
		const signal = context.getExecutionCancelSignal();
		await new Promise((resolve) => signal?.addEventListener('abort', resolve));
		throw new NodeOperationError(context.getNode(), 'Told to stop');
	},
};

/** A node to test the harness with: performs one of the deeds above for each item. */
export class Probe implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Probe',
		name: 'probe',
		group: ['transform'],
		version: 1,
		description: 'Tries what n8n offers a node',
		defaults: { name: 'Probe' },
		inputs: ['main'],
		outputs: ['main'],
		usableAsTool: true,
		credentials: [{ name: 'probeApi' }],
		properties: [
			{
				displayName: 'Deed',
				name: 'operation',
				type: 'options',
				options: Object.keys(DEEDS).map((name) => ({ name, value: name })),
				default: 'read',
			},
			{ displayName: 'Value', name: 'value', type: 'string', default: 'nothing', required: true },
		],
	};

	methods: INodeType['methods'] = {
		listSearch: {
			async searchWords(this: ILoadOptionsFunctions, filter = '', paginationToken = '0') {
				const { unit } = await this.getCredentials<{ unit: string }>('probeApi');
				const name = `${String(this.getCurrentNodeParameter('value'))} ${filter} ${unit}`;
				return { results: [{ name, value: 7 }], paginationToken: `${paginationToken}+` };
			},
		},
		loadOptions: {
			async getWords(this: ILoadOptionsFunctions) {
				return await Promise.reject(new NodeOperationError(this.getNode(), 'No words today'));
			},
		},
	};

	/** How often n8n called `execute`. */
	calls = 0;

	readonly execute = executeOf(this);
}

function executeOf(probe: Probe) {
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		probe.calls++;
		const output: INodeExecutionData[] = [];
		for (const [index] of this.getInputData().entries()) {
			try {
				const deed = DEEDS[String(this.getNodeParameter('operation', index))];
				if (!deed) throw new NodeOperationError(this.getNode(), 'Unknown deed');
				output.push({ ...(await deed(this, index)), pairedItem: { item: index } });
			} catch (error) {
				if (!this.continueOnFail() || !(error instanceof NodeOperationError)) throw error;
				output.push({ json: {}, error, pairedItem: { item: index } });
			}
		}
		return [output];
	};
}
