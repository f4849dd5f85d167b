import { spawnSync } from 'node:child_process';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { describe, expect, it } from 'vitest';
import { kinds } from '#shared/uses/kinds.ts';
import { refuseUnknown, requireStage, settingsOf } from '../../infra/aws/context.ts';
import { readStage } from '../../infra/aws/stage.ts';
import { type CommandName, helpOf, planOf } from '../../infra/scripts/cdk/plan.ts';

/** What `npm run synth`, `diff`, `deploy` and `destroy` make of a command line. */

const plan = (line: string, file: Record<string, unknown> = {}, env: NodeJS.ProcessEnv = {}) => {
  const [name, ...args] = line.split(' ');
  return planOf(name as CommandName, args, file, env);
};
const argsOf = (line: string, file?: Record<string, unknown>) => plan(line, file)?.args.join(' ');

describe('a command', () => {
  it.each([
    ['synth', 'synth --quiet -c stage=dev'],
    ['synth --stage prod', 'synth --quiet -c stage=prod'],
    ['deploy -c stage=prod', 'deploy --all -c stage=prod'],
    ['diff --stage=preview-ada', 'diff -c stage=preview-ada'],
    ['destroy --stage dev -- --force', 'destroy --all -c stage=dev --force'],
    ['deploy --stage dev WorkspaceApi-dev-Api -- -e', 'deploy WorkspaceApi-dev-Api -c stage=dev -e'],
    ['deploy --stage dev -c corsOrigins=*', 'deploy --all -c corsOrigins=* -c stage=dev'],
  ])('%s runs cdk %s', (line, args) => {
    expect(argsOf(line)).toBe(args);
  });

  it.each([
    ['deploy', 'Name the stage: npm run deploy -- --stage dev, for example.'],
    ['diff', 'Name the stage'],
    ['destroy', 'Name the stage'],
    ['deploy --stage=', '--stage needs a name.'],
    ['synth --stage prd', 'Unknown stage "prd": did you mean prod?'],
    ['synth --stage Prod', 'did you mean prod?'],
    ['synth --stage qa', 'Unknown stage "qa": use prod, staging, dev or preview-<name>.'],
    ['synth --stage constructor', 'Unknown stage "constructor"'],
    ['synth --stage preview', 'did you mean preview-?'],
    ['synth --stage preview-', 'one to eight lower-case letters'],
    ['synth --stage preview-ada-', 'one to eight lower-case letters'],
    ['synth --stage preview-ninechars', 'one to eight lower-case letters'],
    ['synth --stgae prod', "Unknown option '--stgae': did you mean --stage?"],
    ['deploy --stage dev -c stage=prod', '--stage dev contradicts stage=prod.'],
    ['synth -c corsOrigin=*', 'Unknown setting -c corsOrigin: did you mean corsOrigins?'],
    ['synth -c stge=prod', 'did you mean stage?'],
    ['synth -c alarms-email=a@b.c', 'did you mean alarmsEmail?'],
    ['synth -c unheardOf=1', 'it is none of stage, corsOrigins'],
    ['synth -c stage', '-c takes <setting>=<value>, not "stage".'],
    ['synth -c stage=', '-c takes <setting>=<value>, not "stage=".'],
    ['synth -c localEndpoints=yes', '-c localEndpoints is false or true, not "yes".'],
    ['synth -c apiGatewayLogRole=none', '-c apiGatewayLogRole is create or keep, not "none".'],
    ['synth -c domainName=api.acme.example', 'needs both -c domainName=... and -c certificateArn=...'],
    ['synth -c certificateArn=a', 'needs both'],
    ['synth -c hostedZoneId=Z1', 'needs both'],
    ['synth -c domainName=https://a.example -c certificateArn=a', 'a domain alone'],
    ['synth -c assistant=azure', 'must be one of'],
  ])('%s is refused: %s', (line, message) => {
    expect(() => plan(line)).toThrow(message);
  });

  it('takes what npm does not give it from the context of cdk.json, which a line may override', () => {
    const file = { stage: 'staging', '@aws-cdk/core:explicitStackTags': true };
    expect(argsOf('deploy', file)).toBe('deploy --all -c stage=staging');
    expect(argsOf('deploy -c stage=dev', file)).toBe('deploy --all -c stage=dev');
    expect(() => plan('synth', { corsOrigin: '*' })).toThrow('did you mean corsOrigins?');
  });

  it('says where -- was forgotten', () => {
    const message = 'put -- before them: npm run deploy -- --stage prod';
    expect(() => plan('deploy prod', {}, { npm_config_stage: 'true' })).toThrow(message);
    expect(() => plan('deploy', {}, { npm_config_stage: 'prod' })).toThrow(message);
  });

  it('has a help that names every setting', () => {
    expect(plan('deploy --help')).toBeUndefined();
    for (const name of Object.keys(settingsOf())) expect(helpOf('deploy')).toContain(name);
  });

  it('fails with one line, before anything is built', () => {
    const { status, stderr, stdout } = spawnSync(
      process.execPath,
      ['infra/scripts/cdk.ts', 'deploy', '--stage', 'prdo'],
      { encoding: 'utf8' },
    );
    expect([status, stderr, stdout]).toEqual([1, 'Unknown stage "prdo": did you mean prod?\n', '']);
  });
});

describe('the settings of a deployment', () => {
  it('are those that are read, and no others', () => {
    const read = new Set<string>();
    const watch = (name: string) => {
      read.add(name);
      return undefined;
    };
    readStage(watch);
    expect([...read].sort()).toEqual(Object.keys(settingsOf()).sort());
  });

  it('include those of a new kind', () => {
    const known = { ...kinds, smtp: { settings: { smtpUrl: 'the mail server' } } };
    expect(() => refuseUnknown(['smtpUrl'])).toThrow('Unknown setting -c smtpUrl');
    expect(() => refuseUnknown(['smtpUrl'], known)).not.toThrow();
    expect(() => refuseUnknown(['smtpUri'], known)).toThrow('did you mean smtpUrl?');
  });

  it('name a stage, also when the CDK CLI is called directly, but for sam local', () => {
    expect(() => requireStage({})).toThrow('Name the stage');
    expect(() => requireStage({ stage: 'dev' })).not.toThrow();
    expect(() => requireStage({ localEndpoints: 'true' })).not.toThrow();
  });

  it('make a preview a copy of dev with short logs', () => {
    const stage = (name: string) => readStage((setting) => (setting === 'stage' ? name : undefined));
    const { setting: _, ...preview } = stage('preview-ada');
    expect(preview).toEqual({
      ...stage('dev'),
      setting: undefined,
      name: 'preview-ada',
      log_retention: RetentionDays.THREE_DAYS,
    });
    expect(stage('prod')).toMatchObject({ keep_data: true, watch_account: true });
    for (const name of ['staging', 'dev']) expect(stage(name).watch_account).toBe(false);
  });
});
