import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operations } from '../../functions/catalogue.ts';
import { ofType, synthesize } from './synthesized.ts';

const runbook = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'operations.md'), 'utf8');
const { data, sockets, jobs, api } = synthesize(operations, { stage: 'prod' });
const prefix = 'WorkspaceApi-prod-';
const inAll = (type: string) => [data, sockets, jobs, api].flatMap((resources) => ofType(resources, type));
const alarms = inAll('AWS::CloudWatch::Alarm').map(([, { Properties }]) => String(Properties.AlarmName));

describe('docs/operations.md', () => {
  it('names every alarm, and no others', () => {
    const rows = [...runbook.matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1]);
    expect(rows.toSorted()).toEqual(alarms.map((name) => name.slice(prefix.length)).toSorted());
  });

  it('counts what an unused stage pays for', () => {
    const metrics = inAll('AWS::CloudWatch::Alarm').flatMap(
      ([, { Properties }]) =>
        Properties.Metrics?.filter((metric: object) => 'MetricStat' in metric) ?? [Properties],
    ).length;
    const count = (type: string) => inAll(type).length;
    const [, table] = runbook.split('### An unused stage') as [string, string];
    const costs = [...table.matchAll(/^\| [^*|]+\|.*\| \$([\d.]+) \|$/gm)].map((match) => Number(match[1]));
    const money = (dollars: number) => `$${dollars.toFixed(2)}`;
    expect(table).toContain(`| $0.10 | ${metrics} | ${money(metrics / 10)} |`);
    expect(table).toContain(`| $3.00 | ${count('AWS::CloudWatch::Dashboard')} |`);
    // Lambda polls streams without a charge.
    const polled = inAll('AWS::Lambda::EventSourceMapping').filter(
      ([, { Properties }]) => Properties.StartingPosition === undefined,
    );
    expect(table).toContain(`Polling of ${polled.length} idle queues`);
    expect(table).toContain(`| $0.40 | ${count('AWS::SecretsManager::Secret')} |`);
    expect(table).toContain(`| $1.00 | ${count('AWS::KMS::Key')} |`);
    expect(table).toContain(`**${money(costs.reduce((sum, cost) => sum + cost, 0))}**`);
  });

  it('gives up a stage stack by stack, with all data that stays', () => {
    const [, after] = runbook.split('### Destroy\n') as [string, string];
    const section = after.split('\n### ')[0] as string;
    const stacks = [...section.matchAll(/-(Api|Jobs|Sockets|Data)`/g)].map((match) => match[1]);
    expect(stacks).toEqual(['Api', 'Jobs', 'Sockets', 'Data']);
    const words: Record<string, string> = {
      'AWS::DynamoDB::GlobalTable': 'the table',
      'AWS::KMS::Key': 'key of KMS',
      'AWS::Logs::LogGroup': 'log group',
      'AWS::S3::Bucket': 'two buckets',
      'AWS::SecretsManager::Secret': 'secret',
    };
    const kept = Object.values(data).filter(({ DeletionPolicy }) => DeletionPolicy === 'Retain');
    expect([...new Set(kept.map(({ Type }) => Type))].sort()).toEqual(Object.keys(words));
    for (const word of Object.values(words)) expect(section.replaceAll('\n', ' ')).toContain(word);
  });

  it('links only to headings that it has', () => {
    const headings = [...runbook.matchAll(/^#+ (.+)$/gm)].map((match) =>
      (match[1] as string).toLowerCase().replaceAll(' ', '-'),
    );
    const links = [...runbook.matchAll(/\]\(#([^)]+)\)/g)].map((match) => match[1]);
    expect(links.filter((link) => !headings.includes(link as string))).toEqual([]);
  });

  it('has a header above the rows of each table', () => {
    const begun = [...runbook.matchAll(/(?<!\|\n)^\|.*\n(.*)$/gm)].map((match) => match[1]);
    expect(begun.filter((second) => !/^\|[-:| ]+\|$/.test(second as string))).toEqual([]);
  });

  it('names the pages of the app that mail links to', () => {
    const pages = globSync('shared/domain/**/*.ts').flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/addresses\.app, '([\w-]+)'/g)].map((match) => match[1]),
    );
    const [, section = ''] = runbook.split('### Links in mail\n');
    const named = [...section.matchAll(/^\| `\{appUrl\}\/([\w-]+)`/gm)].map((match) => match[1]);
    expect(named.toSorted()).toEqual([...new Set(pages)].toSorted());
  });

  it('uses the names of the stacks', () => {
    const names = inAll('AWS::SQS::Queue').map(([, { Properties }]) => Properties.QueueName);
    expect(names).toContain('WorkspaceApiJobs-prod-import-mail-dead-letters');
    const dashboards = inAll('AWS::CloudWatch::Dashboard').map(
      ([, { Properties }]) => Properties.DashboardName,
    );
    expect(dashboards.toSorted()).toEqual(['WorkspaceApi-prod-jobs', 'WorkspaceApi-prod-overview']);
    const groups = inAll('AWS::Logs::LogGroup').map(([, { Properties }]) => Properties.LogGroupName);
    for (const group of ['access', 'jobs-import-mail', 'threads'])
      expect(groups).toContain(`/workspace-api/prod/${group}`);
  });
});
