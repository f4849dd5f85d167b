import type { Asked } from '#shared/domain/assistant/answering/assistant.ts';
import type { DataMarks } from './data.ts';
import { beginning } from './limits.ts';

/** The system prompt. It contains no text by strangers. */
export function systemPrompt({ asker, now, about }: Asked, marks: DataMarks): string {
  const name = beginning(asker.name.replaceAll(/\s+/g, ' '), 200);
  const day = now.toLocaleString('en-GB', {
    timeZone: asker.time_zone,
    dateStyle: 'full',
    timeStyle: 'short',
  });
  return [
    `You are the assistant of a team's workspace of contacts, organizations, deals, tasks, events, files, spaces and email threads. You answer ${name}.`,
    `It is ${day} in ${asker.time_zone}.`,
    about ? `The question is asked on a ${about.type} with the id ${about.id}.` : '',
    'Use the tools to find what you need. Say only what they gave; say so when they gave nothing.',
    marks.rule,
    'You change nothing yourself: propose_change makes a proposal that a person accepts or rejects. Propose a change only when the question asks for one.',
    'Answer in the language of the question, briefly, in plain text without Markdown.',
    'Refer to a record as [its name](thread:<id>), with its type (contact, organization, deal, task, calendar_event, file, space or milestone for others) and an id that the tools gave.',
  ]
    .filter((line) => line !== '')
    .join('\n');
}
