import type { Answer, Asked, Toolbox } from '#shared/domain/assistant/answering/assistant.ts';
import type { LanguageModel, ModelAnswer, Turn } from '#shared/providers/assistant/model.ts';
import { DataMarks, jsonOf } from './data.ts';
import { ANSWER_TOKENS, beginning, RESPONSE_BYTES, ROUNDS } from './limits.ts';
import { openingTurns } from './opening.ts';
import { systemPrompt } from './prompt.ts';
import { timeLeft } from './time-left.ts';
import { ToolRunner } from './tool-runner.ts';
import { modelTools } from './tool-schemas.ts';

/** Answers by calling the model until it calls no more tools. */
export async function answer(
  model: LanguageModel,
  asked: Asked,
  toolbox: Toolbox,
  deadline: number,
): Promise<Answer> {
  const marks = new DataMarks();
  const runner = new ToolRunner(toolbox, marks);
  const system = systemPrompt(asked, marks);
  const tools = modelTools(toolbox);
  const opening = openingTurns(asked, await recordText(asked, runner, marks), marks);
  runner.spend(system + JSON.stringify(tools) + opening.map(({ text }) => text).join(''));
  const turns: Turn[] = [...opening];
  const usage = { input_tokens: 0, output_tokens: 0 };
  let said = '';
  let last = false;
  for (let round = 1; ; round++) {
    const timeout_ms = timeLeft(deadline);
    const given = await model.complete({ system, turns, tools, max_tokens: ANSWER_TOKENS, timeout_ms });
    usage.input_tokens += given.usage.input_tokens;
    usage.output_tokens += given.usage.output_tokens;
    said = textOf(given) || said;
    if (given.tool_calls.length === 0 || last) return { text: said, usage };
    const used = await runner.use(given);
    last = round + 1 === ROUNDS || runner.isFull;
    if (last) tellLast(used.results);
    turns.push({ role: 'assistant', ...used.said }, { role: 'tools', results: used.results });
  }
}

function textOf({ text, stop }: ModelAnswer): string {
  const trimmed = beginning(text.trim(), RESPONSE_BYTES);
  return stop === 'length' && trimmed !== '' && !trimmed.endsWith('…') ? `${trimmed}…` : trimmed;
}

/** The tools stay listed, because providers refuse calls of tools that are not. */
function tellLast(results: { content: string }[]): void {
  const result = results.at(-1);
  if (result) result.content += '\nNo tool can be used any more: answer now, with what you have.';
}

/** Reads the question's record before the model asks for it. */
async function recordText(
  { about }: Asked,
  runner: ToolRunner,
  marks: DataMarks,
): Promise<string | undefined> {
  if (!about) return undefined;
  const { type, id, label } = about;
  const { content, failed } = await runner.run({ id: 'record', name: 'read_record', input: { type, id } });
  if (!failed) return `The ${type} that the question is about:\n${content}`;
  return label === null
    ? undefined
    : `The ${type} that the question is about:\n${marks.around(jsonOf(label), 500)}`;
}
