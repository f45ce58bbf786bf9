import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

/** Address of the service and token of one bot (interface: Authentication). The nodes test it, see `testCredential`. */
export class BotMessagingApi implements ICredentialType {
	name = 'botMessagingApi';

	displayName = 'Bot Messaging API';

	documentationUrl =
		'https://github.com/n8n-nodes-bot-messaging/n8n-nodes-bot-messaging#quick-start';

	icon: Icon = {
		light: 'file:../icons/bot-messaging.svg',
		dark: 'file:../icons/bot-messaging.dark.svg',
	};

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://api.example.com',
			description:
				'Address of the service, beginning with https:// (plain http:// only for this machine itself)',
		},
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description:
				'Token of the bot, from its advanced settings on the platform. Enter the token alone, without any word before it.',
		},
		{
			displayName: 'Trusted Certificates',
			name: 'trustedAuthorities',
			type: 'string',
			typeOptions: { rows: 4 },
			default: '',
			placeholder: 'e.g. -----BEGIN CERTIFICATE-----…',
			description:
				'Root certificates (PEM, one or more) to trust in addition to the usual authorities, for example those of a national authority. Needed when n8n does not trust the certificate of the service. Works from n8n 2.20 on.',
		},
	];

	/**
	 * A function rather than the generic form, which contains an expression: n8n does not evaluate expressions while a
	 * trigger polls or maintains its subscription in the background. Not a method: n8n's editor would not see it, and not
	 * offer the credential in the HTTP Request node.
	 */
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		const token = String(credentials.accessToken ?? '').trim();
		return { ...requestOptions, headers: { ...requestOptions.headers, Authorization: token } };
	};
}
