import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { afterAll } from 'vitest';
import * as z from 'zod';
import type { Operation } from '#shared/api/catalogue.ts';
import type { Access, Method, Route, Use } from '#shared/api/route.ts';
import { ApiStack } from '../../infra/aws/api-stack.ts';
import { DataStack } from '../../infra/aws/data-stack.ts';
import { readStage } from '../../infra/aws/stage.ts';

/** The stacks as templates, made as `cdk synth` makes them but with an empty function for code. */

export interface Resource {
  Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: CloudFormation properties have any shape
  Properties: any;
  DeletionPolicy?: string;
  Metadata?: Record<string, string>;
}

export interface Synthesized {
  app: App;
  data: Record<string, Resource>;
  api: Record<string, Resource>;
  /** Bytes of the Api template as it is sent. */
  bytes: number;
}

/** A folder that is removed when the tests of the file are done. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stacks-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}

function emptyFunction(folder: string): Code {
  writeFileSync(join(folder, 'index.js'), 'exports.handler = async () => ({});\n');
  return Code.fromAsset(folder);
}

export function synthesize(operations: Operation[], context: Record<string, string>): Synthesized {
  const code = temporaryFolder();
  const { context: settings } = JSON.parse(readFileSync('cdk.json', 'utf8'));
  const byCli = { 'aws:cdk:enable-path-metadata': true, 'aws:cdk:enable-asset-metadata': true };
  const app = new App({
    outdir: temporaryFolder(),
    analyticsReporting: false,
    context: { ...settings, ...byCli, ...context },
  });
  const stage = readStage((name) => app.node.tryGetContext(name));
  const data = new DataStack(app, stage);
  const api = new ApiStack(app, { stage, operations, code: () => emptyFunction(code) });
  const json = Template.fromStack(api).toJSON();
  return {
    app,
    data: Template.fromStack(data).toJSON().Resources,
    api: json.Resources,
    bytes: JSON.stringify(json, null, 1).length,
  };
}

export function ofType(resources: Record<string, Resource>, type: string): [string, Resource][] {
  return Object.entries(resources).filter(([, resource]) => resource.Type === type);
}

const useSets: Use[][] = [
  ['table:read'],
  ['table:write'],
  ['table:read', 'table:write'],
  ['table:read', 'bucket:read'],
  ['table:write', 'bucket:read'],
  ['table:write', 'bucket:write'],
  ['table:write', 'queue:mail-import'],
  ['table:write', 'bucket:read', 'queue:mail-import'],
  ['table:read', 'queue:mail-import'],
  ['bucket:read'],
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
