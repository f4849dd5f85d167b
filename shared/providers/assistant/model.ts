/**
 * The port to a language model. Each request contains the whole conversation; its last turn is the user's or the
 * tools'. A model may call tools: the caller runs them and sends their results as the next turn.
 */
export interface LanguageModel {
  /** Its name at the provider, for logs. */
  name: string;
  /** One answer; throws `ModelFailed`. Tries once: the caller's queue retries. */
  complete(request: ModelRequest): Promise<ModelAnswer>;
}

export interface ModelRequest {
  system: string;
  turns: Turn[];
  /** Unchanged when `turns` contain tool calls: providers refuse calls of tools that are not listed. */
  tools: ModelTool[];
  /** Of the answer. */
  max_tokens: number;
  /** Milliseconds from now until the whole answer must be there. */
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
  /** An object, unless `malformed`. Not validated against the tool's schema. */
  input: unknown;
  /** The arguments are not a JSON object, and `input` is their text. The tool result tells the model. */
  malformed?: true;
}

export interface ToolResult {
  /** Of the call. */
  id: string;
  content: string;
  failed: boolean;
}

export interface ModelAnswer {
  /** May be empty, even without tool calls. */
  text: string;
  tool_calls: ToolCall[];
  /** `length`: cut off at `max_tokens`, so the last call may be malformed. */
  stop: 'end' | 'tools' | 'length';
  /** Zeros when the provider does not say. */
  usage: { input_tokens: number; output_tokens: number };
}
