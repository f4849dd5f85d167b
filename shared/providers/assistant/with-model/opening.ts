import type { Asked, PastTurn } from '#shared/domain/assistant/answering/assistant.ts';
import { type DataMarks, jsonOf } from './data.ts';
import { beginning, QUESTION_BYTES } from './limits.ts';

/** Turns that are given almost in full; of older ones only the beginning. */
const TURNS = 6;
const TURN_BYTES = 4_000;
const LATEST_BYTES = 8_000;
const OLDER_TURNS = 15;
const OLDER_TURN_BYTES = 200;
const OLDER_BYTES = 4_000;

type OpeningTurn = { role: 'user'; text: string } | { role: 'assistant'; text: string; tool_calls: [] };

/**
 * The conversation up to the question. User and assistant alternate and the user begins: some servers refuse anything
 * else.
 */
export function openingTurns(
  { past, text }: Asked,
  record: string | undefined,
  marks: DataMarks,
): OpeningTurn[] {
  const said = past.filter((turn) => turn.text.trim() !== '');
  const latest = latestTurns(said);
  const older = said.slice(0, said.length - latest.length);
  const told = [
    olderText(older, marks),
    ...latest,
    record,
    text.trim() === '' ? '(Nothing was written.)' : beginning(text, QUESTION_BYTES),
  ].filter((each) => each !== undefined);
  const turns: OpeningTurn[] = [];
  for (const each of told) {
    const { role, text } = typeof each === 'string' ? { role: 'user' as const, text: each } : each;
    const last = turns.at(-1);
    if (last?.role === role) last.text += `\n\n${text}`;
    else turns.push(role === 'user' ? { role, text } : { role, text, tool_calls: [] });
  }
  return turns;
}

/** They begin with the user. */
function latestTurns(said: PastTurn[]): PastTurn[] {
  const latest: PastTurn[] = [];
  let left = LATEST_BYTES;
  for (const { role, text } of said.slice(-TURNS).reverse()) {
    const told = beginning(text, TURN_BYTES);
    left -= Buffer.byteLength(told);
    if (left < 0) break;
    latest.unshift({ role, text: told });
  }
  const first = latest.findIndex(({ role }) => role === 'user');
  return first < 0 ? [] : latest.slice(first);
}

/** As data: an answer may quote a mail. */
function olderText(older: PastTurn[], marks: DataMarks): string | undefined {
  if (older.length === 0) return undefined;
  const turns = older.slice(-OLDER_TURNS);
  const told = turns.map(({ role, text }) => ({ role, text: beginning(text, OLDER_TURN_BYTES) }));
  return `What was said earlier, shortened:\n${marks.around(jsonOf(told), OLDER_BYTES)}`;
}
