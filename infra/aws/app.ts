import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { queues, schedules } from '#shared/queues/queues.ts';
import { kinds } from '#shared/uses/kinds.ts';
import { operations } from '../../functions/catalogue.ts';
import { bundle } from './bundle.ts';
import { addStacks } from './stacks.ts';
import { readStage } from './stage.ts';

/** The app that `cdk` runs: bundles all functions, then writes the templates. Needs no AWS account. */

const app = new App({ analyticsReporting: false });
const stage = readStage((name) => app.node.tryGetContext(name));
const bundles = join(app.outdir, 'bundles');
// CDK never removes the output of earlier runs, a copy of every bundle that has changed since.
for (const name of await readdir(app.outdir))
  if (name.startsWith('asset.')) await rm(join(app.outdir, name), { recursive: true });
await bundle(operations, bundles, stage.assistant.provider);
const code = (entry: string) => Code.fromAsset(join(bundles, entry));
addStacks(app, { stage, kinds, operations, queues, schedules, code });
app.synth();
