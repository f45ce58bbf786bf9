/** A message ID holds the chat's ID in two's complement, then the number of the message (wire 2). */
const MID = /^mid\.([0-9a-f]{16})[0-9a-f]{16}$/i;

/** The chat a message or comment belongs to, read out of its ID; `undefined` for an ID of another shape. */
export function chatOfMessage(mid: string): bigint | undefined {
	const digits = MID.exec(mid)?.[1];
	return digits === undefined ? undefined : BigInt.asIntN(64, BigInt(`0x${digits}`));
}
