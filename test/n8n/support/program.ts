import { existsSync } from 'node:fs';
import { run, type Say } from '../../support/command';

/** A program that the tests need and that npm does not provide. */
export interface Program {
	name: string;
	/** Where it is usually installed. */
	places: string[];
	/** The environment variable for another path. */
	variable: string;
	/** The Debian package that provides it. */
	debianPackage: string;
}

/**
 * The path of a program. If it is missing, it is installed for root on Debian; for anyone else an Error says what to
 * install.
 */
export async function programPath(program: Program, say: Say): Promise<string> {
	const { name, places, variable, debianPackage } = program;
	const find = () =>
		[process.env[variable] ?? '', ...places].find((place) => place !== '' && existsSync(place));
	const present = find();
	if (present !== undefined) return present;
	if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
		const what = `Installing ${name}`;
		say(`${what} …`);
		const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
		await run('apt-get', ['update', '-q'], { env, what, say });
		await run('apt-get', ['install', '-y', '-q', debianPackage], { env, what, say });
	}
	const installed = find();
	if (installed !== undefined) return installed;
	throw new Error(
		`These tests need ${name}. Install it with\n\n  sudo apt-get update && sudo apt-get install -y ${debianPackage}\n\n` +
			`or set ${variable} to its path.`,
	);
}
