import { setClockBack } from '../../support/hurry';
import { notified } from '../../support/question';
import { Stage } from '../support/stage';
import { asking, newest } from './asked';

const HOUR_MS = 3_600_000;

describe('who may answer', () => {
	const stage = Stage.forAllTests();
	let chatId: string;
	beforeAll(async () => {
		({ chatId } = await stage.dialog());
	});

	const sent = async () => await stage.control.journal({ method: 'POST', path: '/messages' });

	it.each([
		['a missing property', '={{ $json.nobody }}'],
		['a property of a missing one', '={{ $json.a.b.c }}'],
		['null', '={{ null }}'],
		['an empty list', '={{ [] }}'],
		['a list of empty values', '={{ [null, ""] }}'],
		['an empty text', '={{ "" }}'],
		['commas', ' , '],
		['a name', 'Vera'],
		['an object', '={{ ({ user_id: 5 }) }}'],
		['a chat', '-71234567890123'],
		['zero', '0'],
		['part of an ID', '12.5'],
		['an ID and a name', '110022334, Vera'],
		['a blank', ' '],
		['an expression without content', '='],
	])('is refused before the question is sent when the field gives %s', async (_, value) => {
		const host = await asking(stage, chatId, {
			answer_in: 'chat',
			who_may_answer: 'people',
			allowed_user_ids: value,
		});
		expect(host.status).toBe('error');
		expect(host.error?.message).toMatch(/^Allowed User IDs/);
		expect(await sent()).toEqual([]);
	});

	it('has to be filled in when certain people may answer', async () => {
		const host = await asking(stage, chatId, { who_may_answer: 'people', allowed_user_ids: '' });
		expect(host.error?.message).toContain('Allowed User IDs');
		expect(await sent()).toEqual([]);
	});

	it('cannot be administrators in a dialog, and nothing is sent', async () => {
		const host = await asking(stage, chatId, { who_may_answer: 'administrators' });
		expect(host.error).toMatchObject({
			message: expect.stringMatching(/^Who May Answer needs a group chat/),
			description: expect.stringContaining("Choose 'Everyone'"),
		});
		expect(await sent()).toEqual([]);
	});

	it('is fixed when the question is sent', async () => {
		const { user, chatId } = await stage.dialog();
		await stage.activeTrigger({ events: ['*'] });
		const until = Date.now() + HOUR_MS;
		const host = await asking(stage, chatId, {
			answer_in: 'chat',
			who_may_answer: 'people',
			allowed_user_ids: `={{ $now.toMillis() < ${until} ? "5" : "${user.user_id}" }}`,
		});
		expect(host.status).toBe('waiting');
		const { question } = await newest(stage, chatId);
		const restoreClock = setClockBack(-HOUR_MS);
		await stage.control.press(question.body.mid, { text: 'Approve' });
		await notified(stage, user).finally(restoreClock);
		expect(host).toMatchObject({ status: 'waiting', passed: [] });
	});
});
