import { loadOptions, searchList } from './loadOptions';
import { Probe, ProbeApi } from './probe';

const form = {
	node: new Probe(),
	credentials: { probeApi: { token: 'secret' } },
	credentialTypes: [new ProbeApi()],
};

test('A searchable drop-down gets filter, page, current parameters and the credential', async () => {
	const search = { ...form, method: 'searchWords', parameters: { value: 'My' } };
	expect(await searchList({ ...search, filter: 'word', paginationToken: '3' })).toEqual({
		results: [{ name: 'My word none', value: 7 }],
		paginationToken: '3+',
	});
});

test('A drop-down that cannot be filled says why', async () => {
	await expect(loadOptions({ ...form, method: 'getWords' })).rejects.toThrow('No words today');
});

test('A method that the node lacks is an error', async () => {
	await expect(searchList({ ...form, method: 'getWords' })).rejects.toThrow('no list search');
	await expect(loadOptions({ ...form, method: 'searchWords' })).rejects.toThrow('no options');
});
