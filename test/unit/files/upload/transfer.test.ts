import {
	readUploadAnswer,
	storedBytes,
	tokenInUrl,
} from '../../../../nodes/BotMessaging/files/upload/transfer';

describe('The answer to an upload', () => {
	it.each([
		['{"token":"T","fileId":9007199254740993}', { token: 'T', fileId: '9007199254740993' }],
		['{"photos":{"a+/=":{"token":"T"}}}', { token: 'T' }],
		['{"photos":[{"token":"T"}]}', { token: 'T' }],
		['{"payload":{"token":"T"}}', { token: 'T' }],
		['<?xml version="1.0"?><retval>1</retval>', {}],
		['<retval>1</retval>', {}],
		['0-9/10', {}],
		['', {}],
		['{"error_code":5,"error_data":"Bad photo"}', { refusal: 'Bad photo' }],
		['{"error_code":"upload.denied"}', { refusal: 'upload.denied' }],
		['{"code":"file.damaged","message":"Not this one"}', { refusal: 'Not this one' }],
		['{"success":false,"message":"Not this one"}', { refusal: 'Not this one' }],
		['{"error":"Not this one"}', { refusal: 'Not this one' }],
		['File extension is forbidden', { refusal: 'File extension is forbidden' }],
		['{"token":"T","error_code":5}', { token: 'T' }],
		['{"code":0,"success":true}', {}],
		[
			'<!DOCTYPE html><title>Log in</title>',
			{ refusal: 'The upload host answered with a web page' },
		],
	])('%s is understood', (body, expected) => {
		const { token, fileId, refusal } = readUploadAnswer(body);
		expect({ token, fileId, refusal: refusal?.message }).toEqual({
			token: undefined,
			fileId: undefined,
			refusal: undefined,
			...expected,
		});
	});

	it('has the token of an image in the URL', () => {
		expect(tokenInUrl('https://up.example/i?id=1&token=a%2Bb%3D')).toBe('a+b=');
		expect(tokenInUrl('https://up.example/i?id=1')).toBeUndefined();
		expect(tokenInUrl('no url')).toBeUndefined();
	});

	it.each([
		['0-0/10', 1],
		['0-9/10', 10],
		[' 0-4/10\n', 5],
		['0-10/10', undefined],
		['0-4/11', undefined],
		['1-4/10', undefined],
		['0--1/10', undefined],
		['<html>', undefined],
	])('%j says how many of 10 bytes are stored', (range, stored) => {
		expect(storedBytes(range, 10)).toBe(stored);
	});
});
