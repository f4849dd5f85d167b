import { expect, it } from 'vitest';
import { assistantProblem, readAssistant, readConfig } from '#shared/config.ts';

const nothing = { model: undefined, url: undefined, api_key: undefined, questions_per_minute: 20 };
const url = 'http://127.0.0.1:11434/v1';
/** Short names for the variables. */
const variables = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`ASSISTANT_${name}`, value]));

it('is built-in by default', () => {
  expect(readAssistant({})).toEqual({ provider: 'built-in', ...nothing });
  expect(readAssistant(variables({ PROVIDER: '', MODEL: '', URL: '', API_KEY: '' }))).toEqual(
    readAssistant({}),
  );
});

it('is read from the variables, as a part of the configuration', () => {
  const env = variables({ PROVIDER: 'openai', MODEL: 'llama3.3', URL: url, API_KEY: 'k' });
  expect(readConfig(env).assistant).toEqual({
    provider: 'openai',
    model: 'llama3.3',
    url,
    api_key: 'k',
    questions_per_minute: 20,
  });
});

it('has a limit of questions that is a whole number from 1', () => {
  expect(readAssistant(variables({ QUESTIONS_PER_MINUTE: '7' })).questions_per_minute).toBe(7);
  for (const wrong of ['0', '-1', '2.5', 'many', '1e3'])
    expect(() => readAssistant(variables({ QUESTIONS_PER_MINUTE: wrong }))).toThrow(
      /must be a whole number from 1/,
    );
});

it('refuses other providers', () => {
  expect(() => readAssistant(variables({ PROVIDER: 'Bedrock' }))).toThrow(
    'ASSISTANT_PROVIDER must be one of built-in, bedrock, openai, none, not "Bedrock".',
  );
});

it.each<Record<string, string>>([
  {},
  { PROVIDER: 'none' },
  { PROVIDER: 'bedrock', MODEL: 'eu.amazon.nova-lite-v1:0' },
  { PROVIDER: 'bedrock', MODEL: 'm', URL: 'http://127.0.0.1:4566' },
  { PROVIDER: 'openai', MODEL: 'llama3.3', URL: url },
  { PROVIDER: 'openai', MODEL: 'llama3.3', URL: 'https://models.acme.example/v1', API_KEY: 'k' },
])('%j is possible', (values) => {
  expect(assistantProblem(readAssistant(variables(values)))).toBeUndefined();
});

it.each([
  [{ MODEL: 'llama3.3' }, /ASSISTANT_PROVIDER is built-in: set it to bedrock or openai/],
  [{ PROVIDER: 'none', URL: url }, /ASSISTANT_PROVIDER is none/],
  [{ PROVIDER: 'built-in', API_KEY: 'k' }, /ASSISTANT_API_KEY say nothing/],
  [{ PROVIDER: 'bedrock' }, /^ASSISTANT_PROVIDER bedrock needs ASSISTANT_MODEL/],
  [{ PROVIDER: 'bedrock', MODEL: 'm', API_KEY: 'k' }, /takes no ASSISTANT_API_KEY/],
  [{ PROVIDER: 'openai', URL: url }, /^ASSISTANT_PROVIDER openai needs ASSISTANT_MODEL/],
  [{ PROVIDER: 'openai', MODEL: 'm' }, /needs ASSISTANT_URL/],
  [{ PROVIDER: 'openai', MODEL: 'm', URL: '127.0.0.1:11434' }, /must begin with http/],
  [{ PROVIDER: 'openai', MODEL: 'm', URL: 'ftp://models.example' }, /must begin with http/],
])('%j is explained in one line', (values, line) => {
  const problem = assistantProblem(readAssistant(variables(values)));
  expect(problem).toMatch(line);
  expect(problem).not.toContain('\n');
});
