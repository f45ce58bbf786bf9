import { messageSent, type Failure, type Hint } from '../failure';
import { at, entryOf, listAt, textAt } from '../read';
import { RIGHTS } from '../rights';

/** Labels that people see, by the names that the service gives to fields of requests. */
const LABELS: Readonly<Record<string, string>> = {
	action: 'Action',
	admins: 'Administrators',
	alias: 'Alias',
	attachments: 'Attachments',
	block: 'Block',
	buttons: 'Inline Keyboard',
	callback_id: 'Callback ID',
	chat_id: 'Chat ID',
	code: 'Sticker Code',
	commands: 'Commands',
	comment_id: 'Comment',
	contact_id: 'Contact ID',
	count: 'Limit',
	description: 'Description',
	format: 'Format',
	icon: 'Icon URL',
	latitude: 'Latitude',
	limit: 'Limit',
	longitude: 'Longitude',
	marker: 'Marker',
	message_id: 'Message ID',
	message_ids: 'Message IDs',
	mid: 'Message ID',
	name: 'Name',
	notification: 'Notification',
	payload: 'Payload',
	permissions: 'Rights',
	pin: 'Pin',
	text: 'Text',
	timeout: 'Timeout (Seconds)',
	title: 'Title',
	type: 'Media Type',
	types: 'Event Types',
	update_types: 'Event Types',
	url: 'URL',
	user_id: 'User ID',
	user_ids: 'User IDs',
	vcf_info: 'vCard',
	vcf_phone: 'Phone',
};

const FIELD = /^(?:Field '(\w+)' (.*)|Missing (?:required parameter: |`)(\w+))/;

const SIZE = /(?:size|value) \((-?\d+)\) must be at (most|least) (-?\d+)/;

/** The label and the problem of a refusal that names a field. */
function namedField(message: string): { label: string; problem: string } | undefined {
	const [, given, problem = 'cannot be null', missing] = FIELD.exec(message) ?? [];
	const label = entryOf(LABELS, given ?? missing);
	return label === undefined ? undefined : { label, problem };
}

/** What is wrong with a field, named by its label: `Title is empty`. */
export function fieldTitle({ message }: Failure): string | undefined {
	const named = namedField(message);
	if (!named) return undefined;
	const { label, problem } = named;
	if (problem === 'cannot be null') return `${label} is missing`;
	if (problem.includes('pattern')) return `${label} has characters that are not allowed there`;
	const [, size, end, limit] = SIZE.exec(problem) ?? [];
	if (size === undefined) return undefined;
	if (size === '0' && problem.startsWith('size')) return `${label} is empty`;
	const kind = problem.startsWith('size') ? ['long', 'short'] : ['large', 'small'];
	return `${label} is too ${kind[end === 'most' ? 0 : 1]}: ${size}, at ${end} ${limit}`;
}

/** Labels of fields for urls, by the type of the attachment. */
const ADDRESSES: Readonly<Record<string, string>> = { image: 'Image URL', share: 'Page URL' };

/** The label of the field whose url was sent: a chat icon's, an attachment's, or else `URL`, as of a subscription. */
function addressLabel(failure: Failure): string {
	if (at(failure.sent, 'icon', 'url') !== undefined) return 'Icon URL';
	const attached = listAt(messageSent(failure), 'attachments');
	const withAddress = attached.find((one) => at(one, 'payload', 'url') !== undefined);
	return entryOf(ADDRESSES, textAt(withAddress, 'type')) ?? 'URL';
}

/** Refusals that name a right the bot lacks, or a field (wire 8, `proto.payload`). */
export const FIELD_HINTS: readonly Hint[] = [
	{
		status: 403,
		advice: ({ message }) => {
			// `edit`, `delete` and `write` can be verbs: "no permission to edit messages".
			const right = RIGHTS.find(({ value }) =>
				new RegExp(`(?<!\\b(?:to|can|not|cannot|can't) )\\b${value}\\b`).test(message),
			);
			return (
				right &&
				`Give the bot the right ${right.name} in this chat. Member → Get Own Membership shows the rights it has.`
			);
		},
	},
	{
		text: /^Field 'url' .*pattern/,
		title: (failure) => `${addressLabel(failure)} is not a public address`,
		advice: (failure) => {
			const label = addressLabel(failure);
			const start = label === 'URL' ? 'https://, without a port' : 'http:// or https://';
			return `Correct '${label}': a public address that begins with ${start}.`;
		},
	},
	{
		text: /failed to (up)?load (the )?image/i,
		title: 'The service could not load the image',
		advice: (failure) =>
			`Check '${addressLabel(failure)}': it has to be the public address of the image itself. Or send the image as a file.`,
	},
	{
		title: fieldTitle,
		advice: ({ message }) => {
			const named = namedField(message);
			if (!named) return undefined;
			return named.problem === 'cannot be null'
				? `Fill in '${named.label}' and run again.`
				: `Correct '${named.label}': the message says what the service accepts.`;
		},
	},
];
