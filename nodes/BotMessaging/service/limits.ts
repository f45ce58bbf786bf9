/** What the service takes at most in a message (interface: Limits, wire 3.8); forms and advice name these numbers. */

/** Longest text of a message, in characters (code points). */
export const TEXT_LIMIT = 4000;

/** Longest text of a button, in characters. */
export const LABEL_LIMIT = 128;

/** Longest payload of a button, in characters. */
export const PAYLOAD_LIMIT = 1024;

/** Rows of an inline keyboard. */
export const MOST_ROWS = 30;

/** Buttons in a row. */
export const LONGEST_ROW = 7;

/** Buttons in a row that holds a wide one: a link, an app, a contact or a location. */
export const LONGEST_WIDE_ROW = 3;
