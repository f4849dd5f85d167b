import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { queues, schedules, socketEvents, streams } from '#shared/queues/queues.ts';
import { kinds } from '#shared/uses/kinds.ts';
import { operations } from '../../functions/catalogue.ts';
import { Misuse } from '../cli/options.ts';
import { bundle } from './bundle.ts';
import { refuseUnknown, requireStage } from './context.ts';
import { addStacks } from './stacks.ts';
import { readStage, type Stage } from './stage.ts';

/** The app that `cdk` runs: bundles all functions, then writes the templates. Needs no AWS account. */

function stageOf(app: App): Stage {
  try {
    const context = app.node.getAllContext();
    refuseUnknown(Object.keys(context));
    requireStage(context);
    return readStage((name) => context[name]);
  } catch (error) {
    if (!(error instanceof Misuse)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

const app = new App({ analyticsReporting: false });
const stage = stageOf(app);
const bundles = join(app.outdir, 'bundles');
// CDK never removes the output of earlier runs, a copy of every bundle that has changed since.
for (const name of await readdir(app.outdir))
  if (name.startsWith('asset.')) await rm(join(app.outdir, name), { recursive: true });
await bundle(operations, bundles, stage.assistant.provider);
const code = (entry: string) => Code.fromAsset(join(bundles, entry));
addStacks(app, { stage, kinds, operations, queues, schedules, streams, sockets: socketEvents, code });
app.synth();
