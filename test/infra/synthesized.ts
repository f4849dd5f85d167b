import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, type Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { afterAll } from 'vitest';
import * as z from 'zod';
import type { Operation } from '#shared/api/catalogue.ts';
import type { Access, Method, Route } from '#shared/api/route.ts';
import {
  type Queue,
  queues,
  type Schedule,
  type Stream,
  schedules,
  socketEvents,
  streams,
} from '#shared/queues/queues.ts';
import type { Kinds } from '#shared/uses/kind.ts';
import { kinds, type Use } from '#shared/uses/kinds.ts';
import { addStacks, type Stacks } from '../../infra/aws/stacks.ts';
import { readStage } from '../../infra/aws/stage.ts';

/** The templates of the stacks, synthesized as by `cdk synth` but with an empty function as code. */

export interface Resource {
  Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: CloudFormation properties have any shape
  Properties: any;
  DeletionPolicy?: string;
  Metadata?: Record<string, string>;
}

export interface Synthesized {
  app: App;
  stacks: Stacks;
  /** The resources of each stack. */
  data: Record<string, Resource>;
  sockets: Record<string, Resource>;
  jobs: Record<string, Resource>;
  api: Record<string, Resource>;
}

export interface Jobs {
  queues: Record<string, Queue>;
  schedules: Record<string, Schedule>;
  streams?: Record<string, Stream>;
}

/** A folder that is deleted after the tests of the file. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stacks-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}

function emptyFunction(folder: string): Code {
  writeFileSync(join(folder, 'index.js'), 'exports.handler = async () => ({});\n');
  return Code.fromAsset(folder);
}

export function synthesize(
  operations: Operation[],
  context: Record<string, string>,
  { known = kinds, streams: streamed = {}, ...jobs }: Jobs & { known?: Kinds } = {
    queues,
    schedules,
    streams,
  },
): Synthesized {
  const code = temporaryFolder();
  const { context: settings } = JSON.parse(readFileSync('cdk.json', 'utf8'));
  const byCli = { 'aws:cdk:enable-path-metadata': true, 'aws:cdk:enable-asset-metadata': true };
  const app = new App({
    outdir: temporaryFolder(),
    analyticsReporting: false,
    context: { ...settings, ...byCli, ...context },
  });
  const stage = readStage((name) => app.node.tryGetContext(name));
  const stacks = addStacks(app, {
    stage,
    kinds: known,
    operations,
    ...jobs,
    streams: streamed,
    sockets: socketEvents,
    code: () => emptyFunction(code),
  });
  const resources = (stack: Stack) => Template.fromStack(stack).toJSON().Resources;
  return {
    app,
    stacks,
    data: resources(stacks.data),
    sockets: resources(stacks.sockets),
    jobs: resources(stacks.jobs),
    api: resources(stacks.api),
  };
}

export function ofType(resources: Record<string, Resource>, type: string): [string, Resource][] {
  return Object.entries(resources).filter(([, resource]) => resource.Type === type);
}

/** An ARN or a URL with its references as text: `arn:<AWS::Partition>:s3:::...`, `<LogsTags.Arn>`. */
export function spelled(value: unknown): string {
  if (typeof value === 'string') return value;
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': join } = value as Record<string, never>;
  if (Ref) return `<${Ref}>`;
  if (attribute) return `<${(attribute as string[]).join('.')}>`;
  return (join as unknown as [string, unknown[]])[1].map(spelled).join('');
}

const useSets: Use[][] = [
  ['table:read'],
  ['table:write'],
  ['table:read', 'table:write'],
  ['table:read', 'bucket:read-bodies'],
  ['table:write', 'bucket:read-uploads', 'bucket:write-mail'],
  ['table:write', 'bucket:write-uploads'],
  ['table:write', 'queue:import-mail'],
  ['table:write', 'bucket:read-uploads', 'queue:import-mail'],
  ['table:read', 'queue:import-mail'],
  ['bucket:read-files'],
  [],
];
const accesses: Access[] = ['read', 'write', 'session', 'public'];
const methods: Method[] = ['GET', 'POST', 'PATCH', 'DELETE'];

/** As many operations as asked for in 37 families, with every mixture of uses and access. */
export function inventedOperations(count: number): Operation[] {
  return Array.from({ length: count }, (_, i) => {
    const family = `invented_family_${i % 37}`;
    const name = `operationNumber${i}OfInventedFamily`;
    const method = methods[Math.floor(i / 37) % 4] as Method;
    const definition: Route = {
      name,
      method,
      path: `/${family}/{id}/things_${Math.floor(i / 148)}${method === 'POST' ? '' : '/{thing_id}'}`,
      access: accesses[i % 4] as Access,
      summary: 'Does what an operation does to a thing of the family',
      query: i % 3 === 0 ? { next_cursor: z.string().optional() } : {},
      returns: { 200: {} },
      uses: useSets[i % useSets.length] as Use[],
    };
    return { family, name, definition, handler: () => Promise.reject(new Error('is never called')) };
  });
}

/** The first `count` of these and of copies of them, the copies numbered by their round. */
function withCopies<T>(real: T[], count: number, copy: (one: T, round: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => {
    const one = real[i % real.length] as T;
    const round = Math.floor(i / real.length);
    return round === 0 ? one : copy(one, round);
  });
}

/** The real catalogue and copies of it in families of their own, which use copies of the queues. */
export function copiedOperations(real: Operation[], count: number): Operation[] {
  return withCopies(real, count, ({ family, name, definition, handler }, round) => {
    const { path, uses } = definition;
    const copied = {
      ...definition,
      name: `${name}${round}`,
      path:
        typeof path === 'string'
          ? path.replace(/^\/[^/]+/, `$&_${round}`)
          : { ...path, rest: `${path.rest}_${round}` },
      uses: uses.map((use) => (use.startsWith('queue:') ? (`${use}-${round}` as Use) : use)),
    };
    return { family: `${family}_${round}`, name: copied.name, definition: copied, handler };
  });
}

/** The real queues and copies of them, and the real schedules, which send to all of them. */
export function copiedJobs(count: number): Jobs {
  const copied = withCopies<[string, Queue]>(Object.entries(queues), count, ([name, queue], round) => [
    `${name}-${round}`,
    queue,
  ]);
  const sends = copied.map(([name]) => `queue:${name}`);
  const sending = Object.entries<Schedule>(schedules).map(([name, schedule]) => [
    name,
    { ...schedule, uses: [...new Set([...schedule.uses, ...sends])] },
  ]);
  return { queues: Object.fromEntries(copied), schedules: Object.fromEntries(sending), streams };
}
