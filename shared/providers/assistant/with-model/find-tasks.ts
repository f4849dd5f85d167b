import type { FoundTask, FoundTasks, NewMessage } from '#shared/domain/assistant/answering/assistant.ts';
import { ModelFailed } from '#shared/domain/assistant/answering/failure.ts';
import type { LanguageModel } from '#shared/providers/assistant/model.ts';
import { askOnce, wishes } from './ask-once.ts';
import { DataMarks } from './data.ts';
import { beginning, RESPONSE_BYTES } from './limits.ts';
import { readerAndTime } from './new-message.ts';
import { threadText } from './thread-text.ts';

const TASK = /^[\s*•-]*tasks?[\s*]*:[\s*]*(.+?)[\s*]*$/i;
const NOTHING = /^[^\p{L}\p{N}]*(?:none|nothing|no tasks)\b/iu;
const DUE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2})?$/;

function read(line: string): FoundTask[] {
  const [name = '', due = ''] =
    TASK.exec(line)?.[1]
      ?.split('|')
      .map((each) => each.trim()) ?? [];
  if (name === '' || /^(?:none|nothing)\.?$/i.test(name)) return [];
  return [{ name, due: DUE.test(due) ? due : null }];
}

export async function findTasks(
  model: LanguageModel,
  mail: NewMessage,
  instructions: string | null,
  deadline: number,
): Promise<FoundTasks> {
  const marks = new DataMarks();
  const system = [
    'You read the last message of an email thread and write down what it asks its reader to do, apart from reading and answering it.',
    readerAndTime(mail),
    'One line for each thing, at most three, as in "task: Send the signed offer | 2026-11-27 14:00". Begin with a verb. The day, and the time of day, only if the message says by when.',
    'Leave out what it asks of others, what its writer will do, what was done already, pleasantries and advertising. Answer with "none" when it asks for nothing.',
    'Write in the language of the message, nothing that it does not say.',
    marks.rule,
    ...wishes(instructions),
  ];
  const { text, usage } = await askOnce(model, system, threadText(mail, marks), deadline);
  const answer = beginning(text, RESPONSE_BYTES);
  const tasks = answer.split('\n').flatMap(read);
  if (tasks.length === 0 && !NOTHING.test(answer) && !TASK.test(answer.trim()))
    throw new ModelFailed('malformed', `${model.name}: gave no tasks`);
  return { tasks, usage };
}
