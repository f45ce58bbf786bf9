import { getAdditionalKeys } from 'n8n-core';
import {
	ICredentialsHelper,
	isExpression,
	jsonParse,
	NodeHelpers,
	UnexpectedError,
	type ICredentialDataDecryptedObject,
	type ICredentialsExpressionResolveValues,
	type ICredentialType,
	type IExecuteData,
	type IHttpRequestOptions,
	type INode,
	type INodeCredentialsDetails,
	type INodeProperties,
	type IWorkflowExecuteAdditionalData,
	type Workflow,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { BotMessagingApi } from '../../../credentials/BotMessagingApi.credentials';

/** The fields that the user filled in, by credential type. Read on each use, so a test may change them meanwhile. */
export type CredentialData = Record<string, Record<string, string | number | boolean>>;

/** The credential of this package. */
const PACKAGE_CREDENTIALS: ICredentialType[] = [new BotMessagingApi()];

/** The restriction that n8n adds to every credential's form. */
const RESTRICTION = ['allowedHttpRequestDomains', 'allowedDomains'];

const NOT_PLAYED = 'Only stored credentials are played by this engine';

/** n8n's credential store with the given data; authenticates requests by the rules of the credential types. */
export class CredentialStore extends ICredentialsHelper {
	constructor(
		private readonly data: CredentialData,
		private readonly types: ICredentialType[] = PACKAGE_CREDENTIALS,
	) {
		super();
	}

	private typeOf(name: string): ICredentialType {
		const type = this.types.find((candidate) => candidate.name === name);
		if (!type) throw new UnexpectedError(`Unknown credential type "${name}"`);
		return type;
	}

	override getParentTypes(): string[] {
		return [];
	}

	override isCredentialUsableByNode(): boolean {
		return true;
	}

	override getCredentialsProperties(type: string): INodeProperties[] {
		return this.typeOf(type).properties;
	}

	override async getDecrypted(
		additionalData: IWorkflowExecuteAdditionalData,
		_credential: INodeCredentialsDetails,
		type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		_raw?: boolean,
		values?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		const data = this.filled(type);
		if (!values) return await Promise.resolve(data);
		const resolved = values.workflow.expression.getParameterValue(
			jsonParse(JSON.stringify(data)),
			values.runExecutionData,
			values.runIndex,
			values.itemIndex,
			values.node.name,
			values.connectionInputData,
			mode,
			getAdditionalKeys(additionalData, mode, null, { isCredential: true }),
			executeData,
			false,
			data,
		);
		return jsonParse(JSON.stringify(resolved));
	}

	/** The stored fields, plus the form's defaults. */
	private filled(type: string): ICredentialDataDecryptedObject {
		const stored = this.data[type];
		if (!stored) throw new UnexpectedError(`There is no credential of the type "${type}"`);
		const properties = this.getCredentialsProperties(type);
		const form = NodeHelpers.getNodeParameters(properties, stored, true, false, null, null);
		const restriction = Object.entries(stored).filter(([field]) => RESTRICTION.includes(field));
		return jsonParse(JSON.stringify({ ...Object.fromEntries(restriction), ...form }));
	}

	override async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		requestOptions: IHttpRequestOptions,
		workflow: Workflow,
		node: INode,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.typeOf(typeName);
		if (typeof authenticate === 'function') return await authenticate(credentials, requestOptions);
		const resolve = (text: string): string => {
			if (!isExpression(text)) return text;
			const keys = { $credentials: credentials };
			const value = workflow.expression.getSimpleParameterValue(node, text, 'internal', keys);
			return value ? String(value) : '';
		};
		for (const [part, entries] of Object.entries(authenticate?.properties ?? {})) {
			const resolved = Object.entries(entries ?? {}).map(([key, value]) => [
				resolve(key),
				resolve(String(value)),
			]);
			const given: object = Reflect.get(requestOptions, part) ?? {};
			Reflect.set(requestOptions, part, { ...given, ...Object.fromEntries(resolved) });
		}
		return requestOptions;
	}

	/** No credential here has a token that expires. */
	override async preAuthentication(): Promise<undefined> {
		return await Promise.resolve(undefined);
	}

	override async runPreAuthentication(): Promise<undefined> {
		return await Promise.resolve(undefined);
	}

	override getCredentials(): never {
		throw new UnexpectedError(NOT_PLAYED);
	}

	override updateCredentials(): never {
		throw new UnexpectedError(NOT_PLAYED);
	}

	override updateCredentialsOauthTokenData(): never {
		throw new UnexpectedError(NOT_PLAYED);
	}
}
