import { Workflow, type INodeParameters, type INodeTypes } from 'n8n-workflow';
import { BotMessagingTrigger } from '../../../../nodes/BotMessaging/BotMessagingTrigger.node';
import { EVENTS } from '../../../../nodes/BotMessaging/events/events';
import { nodeOf } from '../../../support/node';

const trigger = new BotMessagingTrigger();

/** What the editor shows below the node. */
function subtitle(events: INodeParameters[string]): unknown {
	const node = nodeOf({ name: 'Trigger', typeVersion: 2, parameters: { events } });
	const nodeTypes: INodeTypes = {
		getByName: () => trigger,
		getByNameAndVersion: () => trigger,
		getKnownTypes: () => ({}),
	};
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const stored = workflow.getNode('Trigger');
	const expression = trigger.description.subtitle;
	return stored && workflow.expression.getSimpleParameterValue(stored, expression, 'internal', {});
}

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
	expect(subtitle(events)).toBe(labels);
});

test('The node panel has an action for every event', () => {
	// n8n makes them from the options of the property called Events, with `action` as their names.
	const property = trigger.description.properties.find(
		({ displayName }) => displayName === 'Events',
	);
	const actions = (property?.options ?? []).map((option) => 'action' in option && option.action);
	expect(actions).toHaveLength(Object.keys(EVENTS).length + 1);
	expect(actions).toEqual(
		expect.arrayContaining(['On any event', 'On button pressed', 'On bot added to chat']),
	);
});

test('Whichever action adds the trigger, other events can be added in its form', () => {
	const property = trigger.description.properties.find(
		({ displayName }) => displayName === 'Events',
	);
	expect(property).toMatchObject({ type: 'multiOptions' });
	expect(property).not.toHaveProperty('displayOptions');
});
