import { ModelFailed } from '#shared/domain/assistant/answering/failure.ts';
import type { LanguageModel, ModelAnswer } from '#shared/providers/assistant/model.ts';
import { ANSWER_TOKENS } from './limits.ts';
import { timeLeft } from './time-left.ts';

/** Asks without tools. Throws `malformed` for an empty answer. */
export async function askOnce(
  model: LanguageModel,
  system: string[],
  text: string,
  deadline: number,
): Promise<ModelAnswer> {
  const given = await model.complete({
    system: system.join('\n'),
    turns: [{ role: 'user', text }],
    tools: [],
    // More than the answer needs: some models use tokens for thinking first.
    max_tokens: ANSWER_TOKENS,
    timeout_ms: timeLeft(deadline),
  });
  if (given.text.trim() === '') throw new ModelFailed('malformed', `${model.name}: said nothing`);
  return given;
}

/** For the system prompt. */
export function wishes(instructions: string | null): string[] {
  return instructions ? [`The team wants: ${instructions}`] : [];
}
