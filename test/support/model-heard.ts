import type { ModelServerRequest } from './model-server.ts';

/** The text of a request to a language model, in either wire format. */
export interface Heard {
  system: string;
  /** JSON of the tools. */
  tools: string;
  /** The other texts, by role. */
  said: { role: 'user' | 'assistant' | 'tool'; text: string }[];
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of two APIs
type Any = any;

export function heardBy({ wire, body }: ModelServerRequest): Heard {
  const tools = JSON.stringify(wire === 'openai' ? body.tools : body.toolConfig?.tools) ?? '';
  if (wire === 'openai') {
    const [system, ...said] = body.messages as Any[];
    return {
      system: system.content,
      tools,
      said: said.map(({ role, content, tool_calls = [] }) => ({
        role,
        text: [content, ...tool_calls.map((call: Any) => call.function.name + call.function.arguments)].join(
          '',
        ),
      })),
    };
  }
  const said = (body.messages as Any[]).flatMap(({ role, content }) =>
    content.map(({ text, toolUse, toolResult }: Any) => {
      if (toolResult) return { role: 'tool', text: toolResult.content[0].text };
      return { role, text: text ?? toolUse.name + JSON.stringify(toolUse.input) };
    }),
  );
  return { system: body.system[0].text, tools, said };
}

/** Bytes of all text of the request. */
export function bytesHeard(request: ModelServerRequest): number {
  const { system, tools, said } = heardBy(request);
  return [system, tools, ...said.map(({ text }) => text)].reduce(
    (sum, text) => sum + Buffer.byteLength(text),
    0,
  );
}

/** The text without the data between the marks, and that data. */
export function splitData({ system, said }: Heard): { mark: string; outside: string; data: string[] } {
  const mark = /<(data-[0-9a-f]{16})>/.exec(system)?.[1];
  if (!mark) throw new Error('The system prompt names no mark');
  const whole = [
    system.replace(`Everything between <${mark}> and </${mark}>`, ''),
    ...said.map(({ text }) => text),
  ].join('\n');
  const between = new RegExp(`<${mark}>\n([\\s\\S]*?)\n</${mark}>`, 'g');
  return {
    mark,
    outside: whole.replaceAll(between, ''),
    data: [...whole.matchAll(between)].map(([, data]) => data ?? ''),
  };
}
