import type { TagChoice, ThreadText } from '../assistant.ts';
import type { LanguageModel } from '../model.ts';
import { timeLeft } from './answer.ts';
import { DataMarks } from './data.ts';
import { threadText } from './thread-text.ts';

const MAX_TAGS = 5;
/** Tags that are offered. */
const OFFERED = 200;

interface OfferedTag {
  id: string;
  name: string;
  description: string | null;
}

/** Tags are offered by number, so the model can name no other. */
export async function chooseTags(
  model: LanguageModel,
  thread: ThreadText,
  tags: OfferedTag[],
  instructions: string | null,
  deadline: number,
): Promise<TagChoice> {
  const marks = new DataMarks();
  const offered = tags.slice(0, OFFERED);
  const list = offered.map(
    ({ name, description }, i) => `${i + 1}. ${name}${description ? `: ${description}` : ''}`,
  );
  const system = [
    'You choose tags for an email thread. Answer with the numbers of the tags that clearly fit, separated by commas, best first; or with: none',
    marks.rule,
    instructions ? `The team wants: ${instructions}` : '',
    `The tags:\n${marks.around(list.join('\n'))}`,
  ].join('\n');
  const given = await model.complete({
    system,
    turns: [{ role: 'user', text: threadText(thread, marks) }],
    tools: [],
    max_tokens: 100,
    timeout_ms: timeLeft(deadline),
  });
  const numbers = (given.text.match(/\d+/g) ?? []).map(Number);
  const chosen = new Set(numbers.flatMap((number) => offered[number - 1]?.id ?? []));
  return { tag_ids: [...chosen].slice(0, MAX_TAGS), usage: given.usage };
}
