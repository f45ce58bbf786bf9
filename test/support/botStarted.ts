/** An event that nothing but its payload, its chat and its time distinguishes from others. */
export const botStarted = (payload: string, chat_id = 146854609) => ({
	update_type: 'bot_started',
	chat_id,
	user: { user_id: 110022334, first_name: 'Vera', is_bot: false },
	payload,
});
