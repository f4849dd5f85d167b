import type { Summary, ThreadText } from '#shared/domain/assistant/answering/assistant.ts';
import { ModelFailed } from '#shared/domain/assistant/answering/failure.ts';
import type { LanguageModel } from '#shared/providers/assistant/model.ts';
import { askOnce, wishes } from './ask-once.ts';
import { DataMarks } from './data.ts';
import { beginning, RESPONSE_BYTES } from './limits.ts';
import { threadText } from './thread-text.ts';

/** Characters. */
const HEADLINE = 200;
const SUMMARY = 2_000;

/** The first line is the headline, the rest the summary: a form that every model follows. */
export async function summarize(
  model: LanguageModel,
  thread: ThreadText,
  instructions: string | null,
  deadline: number,
): Promise<Summary> {
  const marks = new DataMarks();
  const system = [
    'You summarize an email thread for the people who work on it.',
    'First line: one sentence, at most 140 characters. Then an empty line. Then two to five sentences: who wants what, what was agreed, what is open, with dates.',
    'Plain text, in the language of the thread. Nothing that the thread does not say.',
    marks.rule,
    ...wishes(instructions),
  ];
  const { text, usage, stop } = await askOnce(model, system, threadText(thread, marks), deadline);
  const whole = beginning(text, RESPONSE_BYTES);
  const [first = '', ...rest] = plain(stop === 'length' ? `${whole}…` : whole).split('\n');
  const headline = first.replaceAll(/^[\s*•-]+|[\s*]+$/g, '').replace(LABEL, '');
  if (headline === '') throw new ModelFailed('malformed', `${model.name}: gave no summary`);
  const summary = rest.join('\n').trim().replace(LABEL, '') || headline;
  return { headline: cut(headline, HEADLINE), summary: cut(summary, SUMMARY), usage };
}

const LABEL = /^(?:headline|summary):\s*/i;

/** Without Markdown, which models add despite instructions. */
function plain(text: string): string {
  return text
    .replaceAll(/^[ \t]*(?:```.*|[-*_]{3,}[ \t]*)$/gm, '')
    .replaceAll(/^[ \t]*#+[ \t]+/gm, '')
    .replaceAll(/(\*\*|__|`)(?=\S)(.+?)\1/g, '$2')
    .trim();
}

function cut(text: string, characters: number): string {
  if (text.length <= characters) return text;
  return `${text.slice(0, characters - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
