import {
  BedrockRuntimeClient,
  type ContentBlock,
  ConverseStreamCommand,
  type ConverseStreamCommandInput,
  type ConverseStreamOutput,
  type Message,
  type StopReason,
  type ToolConfiguration,
  type ToolInputSchema,
} from '@aws-sdk/client-bedrock-runtime';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { AssistantConfig } from '#shared/config.ts';
import { ModelFailed, type ModelFailure } from '#shared/domain/assistant/answering/failure.ts';
import { clientOptions } from '#shared/services.ts';
import { httpFailure, within } from './failures.ts';
import type { LanguageModel, ModelAnswer, ModelRequest, ModelTool, Turn } from './model.ts';
import { earlierInput, StreamedAnswer } from './streamed-answer.ts';

/** Models of Amazon Bedrock: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html */
export function bedrockModel({ model, url }: AssistantConfig & { model: string }): LanguageModel {
  const client = new BedrockRuntimeClient({
    ...clientOptions(url),
    // The queue retries.
    maxAttempts: 1,
    // HTTP/1.1, which local servers and proxies support; HTTP/2 gains nothing with one request at a time.
    requestHandler: new NodeHttpHandler({ connectionTimeout: 5_000 }),
  });
  return {
    name: model,
    complete: (request) =>
      within(
        request.timeout_ms,
        model,
        async (abortSignal) => {
          const { stream = [] } = await client.send(new ConverseStreamCommand(inputOf(model, request)), {
            abortSignal,
          });
          return readAnswer(model, stream as AsyncIterable<ConverseStreamOutput>);
        },
        (error) => explain(model, error),
      ),
  };
}

function inputOf(modelId: string, request: ModelRequest): ConverseStreamCommandInput {
  return {
    modelId,
    ...(request.system === '' ? {} : { system: [{ text: request.system }] }),
    messages: messagesOf(request.turns),
    inferenceConfig: { maxTokens: request.max_tokens },
    ...(request.tools.length === 0 ? {} : { toolConfig: { tools: request.tools.map(toolOf) } }),
  };
}

function toolOf({ name, description, input }: ModelTool): NonNullable<ToolConfiguration['tools']>[number] {
  return { toolSpec: { name, description, inputSchema: { json: input } as ToolInputSchema } };
}

/** User and assistant alternate, and no text is blank: the API refuses anything else. */
function messagesOf(turns: Turn[]): Message[] {
  const messages: (Message & { content: ContentBlock[] })[] = [];
  for (const turn of turns) {
    const role = turn.role === 'assistant' ? 'assistant' : 'user';
    const content = contentOf(turn);
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...content);
    else if (content.length > 0) messages.push({ role, content });
  }
  return messages;
}

function textBlocks(text: string): ContentBlock[] {
  return text.trim() === '' ? [] : [{ text }];
}

function contentOf(turn: Turn): ContentBlock[] {
  if (turn.role === 'user') return textBlocks(turn.text);
  if (turn.role === 'tools')
    return turn.results.map(({ id, content, failed }) => ({
      toolResult: {
        toolUseId: id,
        content: [{ text: content.trim() === '' ? '(empty)' : content }],
        status: failed ? 'error' : 'success',
      },
    }));
  const calls = turn.tool_calls.map((call) => ({
    toolUse: { toolUseId: call.id, name: call.name, input: earlierInput(call) },
  })) as ContentBlock[];
  return [...textBlocks(turn.text), ...calls];
}

async function readAnswer(model: string, stream: AsyncIterable<ConverseStreamOutput>): Promise<ModelAnswer> {
  const answer = new StreamedAnswer(model);
  for await (const { contentBlockStart: start, contentBlockDelta: piece, messageStop, metadata } of stream) {
    const use = start?.start?.toolUse;
    if (use) answer.addCall(start.contentBlockIndex ?? 0, use.toolUseId ?? '', use.name ?? '');
    if (piece?.delta?.text) answer.addText(piece.delta.text);
    const call = answer.callAt(piece?.contentBlockIndex ?? 0);
    if (call && piece?.delta?.toolUse?.input) answer.addInput(call, piece.delta.toolUse.input);
    if (messageStop) answer.stop = stopOf(model, messageStop.stopReason);
    if (metadata?.usage) {
      answer.usage.input_tokens = metadata.usage.inputTokens ?? 0;
      answer.usage.output_tokens = metadata.usage.outputTokens ?? 0;
    }
  }
  return answer.whole();
}

const failingStops: Partial<Record<string, ModelFailure>> = {
  content_filtered: 'refused',
  guardrail_intervened: 'refused',
  malformed_model_output: 'malformed',
  malformed_tool_use: 'malformed',
} satisfies Partial<Record<StopReason, ModelFailure>>;

const lengthStops = new Set<string | undefined>([
  'max_tokens',
  'model_context_window_exceeded',
] satisfies StopReason[]);

function stopOf(model: string, reason: StopReason | undefined): 'end' | 'length' {
  const failure = failingStops[reason ?? ''];
  if (failure) throw new ModelFailed(failure, `${model}: ${reason}`);
  return lengthStops.has(reason) ? 'length' : 'end';
}

/** Errors by name: those inside a stream come without a status. */
const namedFailures: Record<string, number> = {
  ThrottlingException: 429,
  ModelNotReadyException: 503,
  ModelStreamErrorException: 424,
  InternalServerException: 500,
  ServiceUnavailableException: 503,
  ValidationException: 400,
};

interface SdkError extends Error {
  $metadata?: { httpStatusCode?: number };
  $response?: { headers?: Record<string, string> };
}

function explain(model: string, error: unknown): ModelFailed {
  const { name, message, $metadata, $response } = error as SdkError;
  const status = namedFailures[name] ?? $metadata?.httpStatusCode;
  if (status !== undefined && status >= 300)
    return httpFailure(model, {
      status,
      codes: [name],
      retry_after: $response?.headers?.['retry-after'],
      cause: error,
    });
  // Thrown before anything is sent: https://docs.aws.amazon.com/sdkref/latest/guide/standardized-credentials.html
  if (name === 'CredentialsProviderError' || message === 'Region is missing')
    return new ModelFailed('misconfigured', `${model}: AWS region or credentials are missing`, {
      cause: error,
    });
  return new ModelFailed('unavailable', `${model}: no connection, or it broke`, { cause: error });
}
