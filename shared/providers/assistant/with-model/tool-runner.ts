import { type Tool, type Toolbox, ToolRefused } from '#shared/domain/assistant/answering/assistant.ts';
import type { ModelAnswer, ToolCall, ToolResult } from '#shared/providers/assistant/model.ts';
import { type DataMarks, jsonOf } from './data.ts';
import { beginning, CONTEXT_BYTES, RESPONSE_BYTES, RESULT_BYTES } from './limits.ts';

/** Calls of one answer that are run, and bytes of the arguments of each. */
const CALLS = 16;
const ARGUMENTS_BYTES = 12_000;

/** Bytes reserved for the model's text and for short results: a table can still be shown. */
const RESERVE = 16_000;
const SHORT_BYTES = 500;
/** Bytes for the calls of one answer and for reporting that their results do not fit. */
const LAST = 6_000;

/** Runs the model's tool calls while there is room for results. */
export class ToolRunner {
  readonly #tools: Toolbox;
  readonly #marks: DataMarks;
  #left = CONTEXT_BYTES;

  constructor(tools: Toolbox, marks: DataMarks) {
    this.#tools = tools;
    this.#marks = marks;
  }

  /** Counts text sent to the model. */
  spend(text: string): void {
    this.#left -= Buffer.byteLength(text);
  }

  get isFull(): boolean {
    return this.#left < LAST;
  }

  /** The model's turn as sent back, with the results. Counts both. */
  async use({ text, tool_calls }: ModelAnswer) {
    const said = {
      text: beginning(text, Math.min(RESPONSE_BYTES, this.#left - LAST)),
      tool_calls: [] as ToolCall[],
    };
    this.spend(said.text);
    const results: ToolResult[] = [];
    for (const each of tool_calls.slice(0, CALLS)) {
      const call = sentBack(each, Math.min(ARGUMENTS_BYTES, this.#left - LAST));
      this.spend(JSON.stringify(call));
      const result = await this.run(call);
      this.spend(result.id + result.content);
      said.tool_calls.push(call);
      results.push(result);
    }
    return { said, results };
  }

  async run(call: ToolCall): Promise<ToolResult> {
    if (this.isFull) return failed(call, 'There is no room for more: answer with what you have.');
    if (call.malformed) return failed(call, 'The arguments are no JSON object, or too long.');
    const tool = Object.hasOwn(this.#tools, call.name)
      ? (this.#tools as Record<string, Tool | undefined>)[call.name]
      : undefined;
    if (!tool) return failed(call, 'There is no such tool.');
    try {
      const json = jsonOf(await tool.run(call.input));
      const bytes = Math.max(SHORT_BYTES, Math.min(RESULT_BYTES, this.#left - RESERVE));
      return { id: call.id, content: this.#marks.around(json, bytes), failed: false };
    } catch (error) {
      if (!(error instanceof ToolRefused)) throw error;
      // The message may quote the model's input, which may quote a mail.
      return failed(call, this.#marks.around(jsonOf(error.message), SHORT_BYTES));
    }
  }
}

function failed({ id }: ToolCall, content: string): ToolResult {
  return { id, content, failed: true };
}

/** Providers refuse names of another form, and long arguments do not fit. */
function sentBack(call: ToolCall, bytes: number): ToolCall {
  const name = call.name.replaceAll(/[^\w-]/g, '_').slice(0, 64);
  const fits = Buffer.byteLength(JSON.stringify(call.input)) <= bytes;
  return fits ? { ...call, name } : { id: call.id, name, input: {}, malformed: true };
}
