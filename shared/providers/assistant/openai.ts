import type { AssistantConfig } from '#shared/config.ts';
import { ModelFailed } from '#shared/domain/assistant/answering/failure.ts';
import { within } from './failures.ts';
import type { LanguageModel, ModelAnswer, ModelRequest, ModelTool, Turn } from './model.ts';
import { readAnswer, readFailure } from './openai-answer.ts';
import { earlierInput } from './streamed-answer.ts';

/**
 * Any server with OpenAI's `POST {url}/chat/completions` (https://platform.openai.com/docs/api-reference/chat): Ollama,
 * vLLM, LM Studio, llama.cpp and most providers. They differ in details, so as little as possible is read.
 */
export function openAiModel(config: AssistantConfig & { model: string; url: string }): LanguageModel {
  const { model, url, api_key } = config;
  const address = `${url.replace(/\/+$/, '')}/chat/completions`;
  const headers = {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    ...(api_key ? { authorization: `Bearer ${api_key}` } : {}),
  };
  // The old name, which all servers support except OpenAI's own newer models.
  let limit: 'max_tokens' | 'max_completion_tokens' = 'max_tokens';

  const post = (request: ModelRequest, signal: AbortSignal) =>
    fetch(address, {
      method: 'POST',
      headers,
      body: JSON.stringify({ ...bodyOf(model, request), [limit]: request.max_tokens }),
      redirect: 'manual',
      signal,
    });

  const ask = async (request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> => {
    const response = await post(request, signal);
    if (response.ok) return readAnswer(model, response);
    const { failure, text } = await readFailure(model, response);
    const renamed = response.status === 400 && text.includes('max_completion_tokens');
    if (!renamed || limit === 'max_completion_tokens') throw failure;
    limit = 'max_completion_tokens';
    return ask(request, signal);
  };

  return {
    name: model,
    complete: (request) =>
      within(
        request.timeout_ms,
        model,
        (signal) => ask(request, signal),
        (cause) => new ModelFailed('unavailable', `${model}: no connection, or it broke`, { cause }),
      ),
  };
}

function bodyOf(model: string, { system, turns, tools }: ModelRequest) {
  return {
    model,
    messages: [...(system === '' ? [] : [{ role: 'system', content: system }]), ...turns.flatMap(messagesOf)],
    ...(tools.length === 0 ? {} : { tools: tools.map(toolOf) }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

function toolOf({ name, description, input }: ModelTool) {
  return { type: 'function', function: { name, description, parameters: input } };
}

function messagesOf(turn: Turn): object[] {
  if (turn.role === 'user') return [{ role: 'user', content: turn.text }];
  if (turn.role === 'tools')
    return turn.results.map(({ id, content, failed }) => ({
      role: 'tool',
      tool_call_id: id,
      // The API has no field for it.
      content: failed ? `Error: ${content}` : content,
    }));
  const tool_calls = turn.tool_calls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(earlierInput(call)) },
  }));
  return [{ role: 'assistant', content: turn.text, ...(tool_calls.length === 0 ? {} : { tool_calls }) }];
}
