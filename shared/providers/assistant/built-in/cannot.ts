/** Thrown to end an answer early: the message is the answer. */
export class Cannot extends Error {}

/** No person has the requested name; it may be the name of something else. */
export class Nobody extends Cannot {}
