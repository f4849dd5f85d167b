import type { ThreadText } from '#shared/domain/assistant/answering/assistant.ts';

/** Sent to many; its words are about everything. */
const BULK =
  /\bunsubscribe\b|\bview (?:this|it) in (?:your|a) browser\b|\bmanage (?:your )?(?:preferences|subscription)/i;
const BULK_SENDER = /\b(?:no-?reply|do-?not-?reply|newsletter|news|mailer|notifications?)@/i;

/** Of one message; more is not looked at. */
const MAX_TEXT = 50_000;

export const isBulk = ({ from, text }: ThreadText['messages'][number]): boolean =>
  BULK.test(text.slice(0, MAX_TEXT)) || BULK_SENDER.test(from);
