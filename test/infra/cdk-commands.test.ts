import { spawnSync } from 'node:child_process';
import {
  DeleteObjectsCommand,
  ListBucketsCommand,
  ListObjectVersionsCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { kinds } from '#shared/uses/kinds.ts';
import { refuseUnknown, requireStage, settingsOf } from '../../infra/aws/context.ts';
import { readStage } from '../../infra/aws/stage.ts';
import { createTable } from '../../infra/local/dynamodb.ts';
import { emptyBuckets, requireFit, writeVersion } from '../../infra/scripts/cdk/data.ts';
import { type CommandName, helpOf, planOf } from '../../infra/scripts/cdk/plan.ts';
import { longIt } from '../support/long.ts';

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
    ['deploy --stage dev --empty-buckets', '--empty-buckets is for npm run destroy.'],
    ['destroy --stage prod', 'prod keeps its data and its stacks'],
    ['deploy --stage dev -c stage=prod', '--stage dev contradicts stage=prod.'],
    ['synth -c corsOrigin=*', 'Unknown setting -c corsOrigin: did you mean corsOrigins?'],
    ['synth -c stge=prod', 'did you mean stage?'],
    ['synth -c alarms-email=a@b.c', 'did you mean alarmsEmail?'],
    ['synth -c unheardOf=1', 'it is none of stage, corsOrigins'],
    ['synth -c stage', '-c takes <setting>=<value>, not "stage".'],
    ['synth -c stage=', '-c takes <setting>=<value>, not "stage=".'],
    ['synth -c localEndpoints=yes', '-c localEndpoints is false or true, not "yes".'],
    ['synth -c app=yes', '-c app must be on or off, not "yes".'],
    ['synth -c signUp=everybody', '-c signUp must be one of open, invitation, closed, not "everybody".'],
    ['synth -c workAccountsOnly=yes', '-c workAccountsOnly must be true or false, not "yes".'],
    ['synth -c architecture=x86', '-c architecture is arm64 or x86_64, not "x86".'],
    ['deploy --stage dev -c localEndpoints=true', 'deployed functions would never reach AWS'],
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

  longIt.each([
    ['prdo', {}, 'Unknown stage "prdo": did you mean prod?\n'],
    ['prod', {}, 'There is no AWS region: set AWS_REGION to the region of the stage.\n'],
    ['prod', { AWS_REGION: 'eu-west-1' }, expect.stringMatching(/^There are no AWS credentials: set .*\n$/)],
  ])('for stage %s, with %j, fails with one line, before anything is built', (stage, region, line) => {
    const none = { AWS_CONFIG_FILE: '/nowhere', AWS_SHARED_CREDENTIALS_FILE: '/nowhere' };
    const { status, stderr, stdout } = spawnSync(
      process.execPath,
      ['infra/scripts/cdk.ts', 'deploy', '--stage', stage],
      {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, AWS_EC2_METADATA_DISABLED: 'true', ...none, ...region },
      },
    );
    expect([status, stderr, stdout]).toEqual([1, line, '']);
  });
});

describe('the files of a stage', () => {
  const s3 = mockClient(S3Client);
  afterEach(() => s3.reset());
  afterAll(() => s3.restore());

  it('are deleted with all their versions, of this stage only', async () => {
    const own = 'workspace-api-preview-a-111122223333-eu-west-1';
    s3.on(ListBucketsCommand, { Prefix: 'workspace-api-preview-a-', BucketRegion: 'eu-west-1' }).resolves({
      Buckets: [own, `${own}-logs`, 'workspace-api-preview-a-b-111122223333-eu-west-1'].map((Name) => ({
        Name,
      })),
    });
    s3.on(ListObjectVersionsCommand).resolves({});
    const page = {
      Versions: [{ Key: 'mail/1', VersionId: 'a' }],
      DeleteMarkers: [{ Key: 'mail/2', VersionId: 'b' }],
    };
    s3.on(ListObjectVersionsCommand, { Bucket: own })
      .resolvesOnce({ ...page, IsTruncated: true, NextKeyMarker: 'mail/2' })
      .resolvesOnce({ Versions: [{ Key: 'mail/3', VersionId: 'c' }] });
    s3.on(DeleteObjectsCommand).resolves({});
    const told: string[] = [];
    vi.stubEnv('AWS_REGION', 'eu-west-1');
    await emptyBuckets({ name: 'preview-a' }, (line) => told.push(line));
    vi.unstubAllEnvs();
    expect(told).toEqual([
      `${own}: 3 objects and versions deleted`,
      `${own}-logs: 0 objects and versions deleted`,
    ]);
    const deleted = s3.commandCalls(DeleteObjectsCommand).map(({ args }) => args[0].input);
    expect(deleted).toEqual([
      { Bucket: own, Delete: { Quiet: true, Objects: [...page.Versions, ...page.DeleteMarkers] } },
      { Bucket: own, Delete: { Quiet: true, Objects: [{ Key: 'mail/3', VersionId: 'c' }] } },
    ]);
  });
});

describe('the data of a stage', () => {
  const stage = { name: 'preview-deploy' };
  const endpoint = inject('dynamodb_endpoint');
  beforeAll(() => vi.stubEnv('DYNAMODB_ENDPOINT', endpoint));
  afterAll(() => vi.unstubAllEnvs());

  it('is there after the first deployment, and fits the code of each later one', async () => {
    await requireFit(stage, 2);
    await writeVersion(stage, 2);
    await createTable(endpoint, `WorkspaceApi-${stage.name}`);
    // A table from before versions were written has the first one.
    await requireFit(stage, 1);
    await expect(requireFit(stage, 2)).rejects.toThrow('npm run migrate -- --stage preview-deploy');
    await writeVersion(stage, 2);
    await requireFit(stage, 2);
    await expect(requireFit(stage, 1)).rejects.toThrow('take a newer release');
    await expect(requireFit(stage, 3)).rejects.toThrow('migrate it first');
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
