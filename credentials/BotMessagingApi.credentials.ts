import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

/**
 * The address the test request goes to: the Base URL without trailing slashes. Plain http is let through for a
 * loopback host alone; anything else becomes an address that n8n refuses before a request, and so the token, leaves.
 */
const TEST_BASE_URL =
	'={{ /^(https:\\/\\/|http:\\/\\/(localhost|127\\.\\d+\\.\\d+\\.\\d+|\\[::1\\])([:\\/]|$))/i.test(($credentials.baseUrl || "").trim()) ' +
	'? $credentials.baseUrl.trim().replace(/\\/+$/, "") : "https://" }}';

/** Address of the service and token of one bot (interface: Authentication). */
export class BotMessagingApi implements ICredentialType {
	name = 'botMessagingApi';

	displayName = 'Bot Messaging API';

	documentationUrl =
		'https://github.com/n8n-nodes-bot-messaging/n8n-nodes-bot-messaging#the-credential';

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
			placeholder: 'https://api.example.com',
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
				'Token of the bot, from its advanced settings in the platform. It is sent as it is, without any word before it.',
		},
	];

	/**
	 * A function and not the generic form, which holds an expression: n8n evaluates none while a trigger polls or looks
	 * after its subscription in the background.
	 */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const token = String(credentials.accessToken ?? '').trim();
		return { ...requestOptions, headers: { ...requestOptions.headers, Authorization: token } };
	}

	test: ICredentialTestRequest = {
		request: { baseURL: TEST_BASE_URL, url: '/me', disableFollowRedirect: true },
		rules: [
			{
				type: 'responseCode',
				properties: {
					value: 401,
					message:
						'The service refused the access token. Copy it again from the advanced settings of the bot, without any word before it.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 404,
					message: 'There is no bot service at this Base URL. Check the address and its path.',
				},
			},
		],
	};
}
