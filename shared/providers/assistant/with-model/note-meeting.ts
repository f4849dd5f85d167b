import type {
  Meeting,
  MeetingNotes,
  NotedMeeting,
  Usage,
} from '#shared/domain/assistant/answering/assistant.ts';
import { ModelFailed } from '#shared/domain/assistant/answering/failure.ts';
import type { LanguageModel } from '#shared/providers/assistant/model.ts';
import { isoDate } from '#shared/values.ts';
import { askOnce, wishes } from './ask-once.ts';
import { DataMarks, jsonOf } from './data.ts';
import { beginning, RESPONSE_BYTES } from './limits.ts';

/** A meeting is longer than what a model reads at once: its parts are noted first, then the notes are put together. */

/** Bytes of a part, parts that are read, and parts at a time: eight hours of talk are some 450 kB. */
const PART_BYTES = 60_000;
const PARTS = 12;
const AT_ONCE = 4;
/** Bytes of all notes. */
const NOTES_BYTES = 80_000;

const FORM = [
  'First two to eight sentences: what was decided, what is open, with names and dates.',
  'Then one line for each thing that somebody promised to do or was asked to do, and agreed, as in "task: Send the offer | Ada Byron | 2026-11-27". The name, and the day as YYYY-MM-DD, may be left out. At most five.',
  'Plain text, in the language of the meeting. Nothing that was not said.',
];

const TASK = /^[\s*•-]*tasks?[\s*]*:[\s*]*(.+?)[\s*]*$/i;

function partsOf({ said }: Meeting): { parts: string[]; whole: boolean } {
  const parts: string[] = [''];
  for (const { speaker, text } of said) {
    const line = `${beginning(speaker, 200)}: ${text}\n`;
    const last = parts.at(-1) as string;
    if (last !== '' && Buffer.byteLength(last) + Buffer.byteLength(line) > PART_BYTES) parts.push(line);
    else parts[parts.length - 1] = last + line;
  }
  return { parts: parts.slice(0, PARTS), whole: parts.length <= PARTS };
}

type Ask = (system: string[], data: string, bytes: number) => Promise<string>;

/** Each part with its notes, some at a time. */
async function noted(ask: Ask, parts: string[]): Promise<string> {
  const notes: string[] = [];
  for (let at = 0; at < parts.length; at += AT_ONCE)
    notes.push(
      ...(await Promise.all(
        parts
          .slice(at, at + AT_ONCE)
          .map((part) => ask(['You take notes of one part of a meeting.', ...FORM], part, PART_BYTES)),
      )),
    );
  return notes.join('\n\n');
}

function read(answer: string): MeetingNotes {
  const lines = answer.split('\n');
  const tasks = lines.flatMap((line) => {
    const [name = '', who = '', day = ''] =
      TASK.exec(line)?.[1]
        ?.split('|')
        .map((each) => each.trim()) ?? [];
    const due_on = isoDate.safeParse(day).success ? day : null;
    return name && !/^(?:none|nothing)\.?$/i.test(name) ? [{ name, who: who || null, due_on }] : [];
  });
  const text = lines
    .filter((line) => !TASK.test(line))
    .join('\n')
    .trim();
  return { text, tasks };
}

export async function noteMeeting(
  model: LanguageModel,
  meeting: Meeting,
  instructions: string | null,
  deadline: number,
): Promise<NotedMeeting> {
  const marks = new DataMarks();
  const used: Usage = { input_tokens: 0, output_tokens: 0 };
  const ask: Ask = async (system, data, bytes) => {
    const rules = [...system, marks.rule, ...wishes(instructions)];
    // Escaping makes it longer.
    const { text, usage } = await askOnce(model, rules, marks.around(jsonOf(data), 1.2 * bytes), deadline);
    used.input_tokens += usage.input_tokens;
    used.output_tokens += usage.output_tokens;
    return beginning(text, RESPONSE_BYTES);
  };
  const { parts, whole } = partsOf(meeting);
  const about = `You write down what came of the meeting that began at ${meeting.starts_at}.`;
  const several = [about, 'You are given the notes of its parts, in order: make one of them.', ...FORM];
  const answer =
    parts.length === 1
      ? await ask([about, ...FORM], parts[0] ?? '', PART_BYTES)
      : await ask(several, await noted(ask, parts), NOTES_BYTES);
  const { text, tasks } = read(answer);
  if (text === '') throw new ModelFailed('malformed', `${model.name}: gave no notes`);
  const rest = whole ? '' : '\n\nThe end of this very long meeting is not covered.';
  return { notes: { text: `${text}${rest}`, tasks }, usage: used };
}
