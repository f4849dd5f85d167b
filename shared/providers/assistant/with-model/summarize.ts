import type { Summary, ThreadText } from '../assistant.ts';
import { type LanguageModel, ModelFailed } from '../model.ts';
import { timeLeft } from './answer.ts';
import { DataMarks } from './data.ts';
import { threadText } from './thread-text.ts';

const HEADLINE = 200;
const SUMMARY = 2_000;

/** The first line is the headline, the rest the summary: a form that any model keeps. */
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
    instructions ? `The team wants: ${instructions}` : '',
  ].join('\n');
  const text = threadText(thread, marks);
  const given = await model.complete({
    system,
    turns: [{ role: 'user', text }],
    tools: [],
    max_tokens: 600,
    timeout_ms: timeLeft(deadline),
  });
  const lines = given.text.trim().split('\n');
  const headline = (lines[0] ?? '').replace(/^[#*\s]+|[*\s]+$/g, '');
  if (headline === '') throw new ModelFailed('malformed', 'The model gave no summary');
  const summary = lines.slice(1).join('\n').trim() || headline;
  return { headline: cut(headline, HEADLINE), summary: cut(summary, SUMMARY), usage: given.usage };
}

function cut(text: string, characters: number): string {
  return text.length > characters ? `${text.slice(0, characters - 1)}…`.toWellFormed() : text;
}
