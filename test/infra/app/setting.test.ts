import { describe, expect, it } from 'vitest';
import { readConfig } from '#shared/config.ts';
import { app } from '#shared/uses/app.ts';
import { readStage } from '../../../infra/aws/stage.ts';

/** Which deployments have the page at /app. */

const variablesOf = (context: Record<string, string>) =>
  app.variables(new Set(), { setting: (name: string) => context[name] } as never);

describe('-c app', () => {
  it.each([
    [{ stage: 'dev' }, true],
    [{ stage: 'preview-ada' }, true],
    [{ localEndpoints: 'true' }, true],
    [{ stage: 'staging' }, false],
    [{ stage: 'prod' }, false],
    [{ stage: 'prod', app: 'on' }, true],
    [{ stage: 'dev', app: 'off' }, false],
  ])('%o: %s', (context: Record<string, string>, served) => {
    expect(readConfig(variablesOf(context)).app_page).toBe(served);
    expect(readStage((name) => context[name]).app_page).toBe(served);
  });

  it.each(['yes', 'ON', 'true'])('refuses %s', (value) => {
    const context: Record<string, string> = { stage: 'prod', app: value };
    const refusal = `-c app must be on or off, not "${value}".`;
    expect(() => readStage((name) => context[name])).toThrow(refusal);
    expect(() => readConfig({ APP_PAGE: value })).toThrow(`APP_PAGE must be on or off, not "${value}".`);
  });

  it('is off for a function that is told nothing', () => {
    expect(readConfig({}).app_page).toBe(false);
  });
});
