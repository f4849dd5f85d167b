import { Stack } from 'aws-cdk-lib';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Operation } from '#shared/api/catalogue.ts';
import type { Kinds } from '#shared/uses/kind.ts';
import { addAlarms, alarmsTopic } from './alarms.ts';
import { addOverview } from './dashboards.ts';
import { deploymentOf } from './deployment.ts';
import { explain, FUNCTION_EXPLANATIONS } from './explain.ts';
import { addGateway } from './gateway.ts';
import { APP, namesOf } from './names.ts';
import { addFunctions, LogGroups, planNotFound, planOperation, type Surroundings } from './operation.ts';
import type { Stage } from './stage.ts';
import { accountWatches, gatewayWatches } from './watches.ts';

export interface ApiParts {
  stage: Stage;
  kinds: Kinds;
  operations: Operation[];
  /** The code of an entry point, for example `tags/create-tag`. */
  code: (entry: string) => Code;
}

/** Serves requests. It contains nothing that must be kept; deleting it gives the API another address. */
export class ApiStack extends Stack {
  constructor(scope: Construct, { stage, kinds, operations, code }: ApiParts) {
    super(scope, `${APP}-${stage.name}-Api`, {
      description: `Workspace API (${stage.name}): gateway and functions`,
      terminationProtection: stage.keep_data,
      tags: { app: APP, stage: stage.name },
    });
    explain(this, FUNCTION_EXPLANATIONS);
    const names = namesOf(stage.name);
    const deployment = deploymentOf(this, stage, names);
    const around: Surroundings = { stage, names, kinds, deployment, code };
    const plans = [...operations.map((operation) => planOperation(operation, around)), planNotFound(around)];
    const functions = addFunctions(this, plans, new LogGroups(this, around), around);
    const api = addGateway(this, { stage, names, operations, functions });
    addAlarms(this, names, alarmsTopic(this, names), [
      ...gatewayWatches(api, stage.name),
      ...(stage.watch_account ? accountWatches : []),
    ]);
    addOverview(this, names, api);
  }
}
