import {
	ICredentialsHelper,
	jsonParse,
	NodeHelpers,
	UnexpectedError,
	type ICredentialDataDecryptedObject,
	type IHttpRequestOptions,
	type INodeCredentialsDetails,
	type INodeProperties,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { BotMessagingApi } from '../../../credentials/BotMessagingApi.credentials';

/** The fields that the user filled in, by credential type. Read on each use, so a test may change them meanwhile. */
export type CredentialData = Record<string, Record<string, string | number | boolean>>;

const credential = new BotMessagingApi();

/** The restriction that n8n adds to every credential's form. */
const RESTRICTION = ['allowedHttpRequestDomains', 'allowedDomains'];

const NOT_PLAYED = 'Only stored credentials are played by this engine';

/** n8n's credential store with the given data of this package's credential. */
export class CredentialStore extends ICredentialsHelper {
	constructor(private readonly data: CredentialData) {
		super();
	}

	override getParentTypes(): string[] {
		return [];
	}

	override isCredentialUsableByNode(): boolean {
		return true;
	}

	override getCredentialsProperties(): INodeProperties[] {
		return credential.properties;
	}

	/** The stored fields, plus the form's defaults. */
	override async getDecrypted(
		_additionalData: IWorkflowExecuteAdditionalData,
		_credential: INodeCredentialsDetails,
		type: string,
	): Promise<ICredentialDataDecryptedObject> {
		const stored = this.data[type];
		if (!stored) throw new UnexpectedError(`There is no credential of the type "${type}"`);
		const { properties } = credential;
		const form = NodeHelpers.getNodeParameters(properties, stored, true, false, null, null);
		const restriction = Object.entries(stored).filter(([field]) => RESTRICTION.includes(field));
		const filled = { ...Object.fromEntries(restriction), ...form };
		return await Promise.resolve(jsonParse(JSON.stringify(filled)));
	}

	override async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_typeName: string,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return await credential.authenticate(credentials, requestOptions);
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
