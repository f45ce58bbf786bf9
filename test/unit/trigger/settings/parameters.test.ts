import { BotMessagingTrigger } from '../../../../nodes/BotMessaging/BotMessagingTrigger.node';
import { EVENTS } from '../../../../nodes/BotMessaging/events/events';
import { evaluated, subtitleOf } from '../../../support/node';

const trigger = new BotMessagingTrigger();
/** n8n makes the actions of the node panel from the options of this field, with `action` as their names. */
const eventsField = trigger.description.properties.find(
	({ displayName }) => displayName === 'Events',
);

test.each([
	[['message_created', 'message_callback'], 'Message Created, Button Pressed'],
	[['*'], 'Any Event'],
	[
		Object.keys(EVENTS),
		Object.values(EVENTS)
			.map(({ name }) => name)
			.join(', '),
	],
	[['poll_closed'], 'poll_closed'],
])('The subtitle of %j is %s', (events, labels) => {
	const node = { name: 'Trigger', typeVersion: 2, parameters: { events } };
	expect(subtitleOf(trigger, node)).toBe(labels);
});

test.each([
	['webhook', false],
	['polling', true],
])('Received by %s, the form hides the addresses of webhooks: %s', (delivery, hidden) => {
	const node = { typeVersion: 2, parameters: { delivery } };
	const hides = trigger.description.webhooks?.map(({ ndvHideUrl }) =>
		evaluated(trigger, ndvHideUrl, node),
	);
	expect(hides).toEqual([hidden]);
});

test('The node panel has an action for every event', () => {
	const actions = (eventsField?.options ?? []).map((option) => 'action' in option && option.action);
	expect(actions).toHaveLength(Object.keys(EVENTS).length + 1);
	expect(actions).toEqual(
		expect.arrayContaining(['On any event', 'On button pressed', 'On bot added to chat']),
	);
});

test('Whichever action adds the trigger, other events can be added in its form', () => {
	expect(eventsField).toMatchObject({ type: 'multiOptions' });
	expect(eventsField).not.toHaveProperty('displayOptions');
});
