import type { Asked, PastTurn } from '../assistant.ts';
import type { Turn } from '../model.ts';
import type { DataMarks } from './data.ts';
import { beginning, PAST_BYTES, QUESTION_BYTES } from './limits.ts';

/** What the model is told before its tools are used. */

export function systemPrompt({ asker, now, about }: Asked, marks: DataMarks): string {
  const day = now.toLocaleString('en-GB', {
    timeZone: asker.time_zone,
    dateStyle: 'full',
    timeStyle: 'short',
  });
  return [
    `You are the assistant of a team's workspace of contacts and email threads. You answer ${asker.name}.`,
    `It is ${day} in ${asker.time_zone}.`,
    about ? `The question is asked on a ${about.type} with the id ${about.id}.` : '',
    'Use the tools to find what you need. Say only what they gave; say so when they gave nothing.',
    marks.rule,
    'You change nothing yourself: propose_change makes a proposal that a person accepts or rejects. Propose a change only when the question asks for one.',
    'Answer in the language of the question, briefly, in plain text without Markdown.',
    'Refer to a record as [its name](thread:<id>) or [its name](contact:<id>), with ids that the tools gave.',
  ]
    .filter((line) => line !== '')
    .join('\n');
}

const TURNS = 6;
const OLDER_TURNS = 20;
const OLDER_BYTES = 200;

/** The latest turns as they were said; older ones by their beginnings, in one turn. */
export function pastTurns(past: PastTurn[]): Turn[] {
  const share = Math.floor(PAST_BYTES / (TURNS + 2));
  const older = past.slice(-TURNS - OLDER_TURNS, -TURNS);
  const turns = past.slice(-TURNS).map(({ role, text }): Turn => {
    const said = beginning(text, share);
    return role === 'user' ? { role, text: said } : { role, text: said, tool_calls: [] };
  });
  if (older.length === 0) return turns;
  const told = older.map(
    ({ role, text }) => `${role}: ${beginning(text.replaceAll('\n', ' '), OLDER_BYTES)}`,
  );
  const summary = `What was said earlier, shortened:\n${told.join('\n')}`;
  return [
    { role: 'user', text: summary },
    { role: 'assistant', text: 'I remember.', tool_calls: [] },
    ...turns,
  ];
}

export function questionTurn({ text }: Asked, record: string | undefined): Turn {
  const question = beginning(text, QUESTION_BYTES);
  return { role: 'user', text: record === undefined ? question : `${record}\n\n${question}` };
}
