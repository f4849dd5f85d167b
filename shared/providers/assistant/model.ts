/**
 * The port to a language model. A conversation is sent whole each time; its last turn is the user's or the tools'. A
 * model may ask for tools: the caller runs them and sends their results as the next turn.
 */
export interface LanguageModel {
  /** Its name at the provider, for logs. */
  name: string;
  /** One answer; throws `ModelFailed`. It tries once: trying again is left to the queue behind the caller. */
  complete(request: ModelRequest): Promise<ModelAnswer>;
}

export interface ModelRequest {
  system: string;
  turns: Turn[];
  /** Still the same when `turns` have tool calls: providers refuse calls of tools that they are not told. */
  tools: ModelTool[];
  /** Of the answer. */
  max_tokens: number;
  /** Milliseconds from now in which the whole answer has to be there. */
  timeout_ms: number;
}

export type Turn =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; tool_calls: ToolCall[] }
  | { role: 'tools'; results: ToolResult[] };

export interface ModelTool {
  /** Letters, digits, `_` and `-`, 64 at most. */
  name: string;
  description: string;
  /** JSON schema of an object. */
  input: Record<string, unknown>;
}

export interface ToolCall {
  id: string;
  name: string;
  /** An object, if not `malformed`. Nobody has checked it against the tool's schema. */
  input: unknown;
  /** The arguments are no JSON object, and `input` is their text. Its result tells the model. */
  malformed?: true;
}

export interface ToolResult {
  /** Of the call. */
  id: string;
  content: string;
  failed: boolean;
}

export interface ModelAnswer {
  /** May be empty, also when nothing else is there. */
  text: string;
  tool_calls: ToolCall[];
  /** `length`: cut off at `max_tokens`, so the last call may be malformed. */
  stop: 'end' | 'tools' | 'length';
  /** Zeros when the provider does not say. */
  usage: { input_tokens: number; output_tokens: number };
}
