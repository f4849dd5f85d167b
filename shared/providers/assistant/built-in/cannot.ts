/** Thrown where an answer ends early: the message is the answer. */
export class Cannot extends Error {}

/** No person has the name that was asked for; it may be the name of something else. */
export class Nobody extends Cannot {}
