import type { Answer, Asked, Toolbox } from '../assistant.ts';
import { type LanguageModel, type ModelAnswer, ModelFailed, type Turn } from '../model.ts';
import { DataMarks } from './data.ts';
import { ANSWER_TOKENS, ROUNDS } from './limits.ts';
import { pastTurns, questionTurn, systemPrompt } from './prompt.ts';
import { modelTools, ToolRunner } from './tools.ts';

/** Answers by asking the model until it wants no more tools. */
export async function answer(
  model: LanguageModel,
  asked: Asked,
  tools: Toolbox,
  deadline: number,
): Promise<Answer> {
  const marks = new DataMarks();
  const runner = new ToolRunner(tools, marks);
  const system = systemPrompt(asked, marks);
  const turns: Turn[] = [...pastTurns(asked.past), questionTurn(asked, await recordText(asked, runner))];
  runner.spend(system + JSON.stringify(turns));
  const usage = { input_tokens: 0, output_tokens: 0 };
  let said = '';
  for (let round = 1; ; round++) {
    const given = await model.complete({
      system,
      turns,
      tools: modelTools(tools),
      max_tokens: ANSWER_TOKENS,
      timeout_ms: timeLeft(deadline),
    });
    usage.input_tokens += given.usage.input_tokens;
    usage.output_tokens += given.usage.output_tokens;
    said = textOf(given) || said;
    if (given.tool_calls.length === 0 || round === ROUNDS) break;
    turns.push({ role: 'assistant', text: given.text, tool_calls: given.tool_calls });
    const results = [];
    for (const call of given.tool_calls) results.push(await runner.run(call));
    turns.push({ role: 'tools', results });
  }
  return { text: said, usage };
}

export function timeLeft(deadline: number): number {
  const left = deadline - Date.now();
  if (left <= 0) throw new ModelFailed('timed_out', 'No time was left for the model');
  return left;
}

function textOf({ text, stop }: ModelAnswer): string {
  const trimmed = text.trim();
  return stop === 'length' && trimmed !== '' ? `${trimmed}…` : trimmed;
}

/** The record that the question is about is read before the model asks for it. */
async function recordText({ about }: Asked, runner: ToolRunner): Promise<string | undefined> {
  if (!about) return undefined;
  const input = { type: about.type, id: about.id };
  const { content, failed } = await runner.run({ id: 'record', name: 'read_record', input });
  return failed ? undefined : `The ${about.type} that the question is about:\n${content}`;
}
