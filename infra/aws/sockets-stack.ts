import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { SocketEvent } from '#shared/queues/queues.ts';
import type { Kinds } from '#shared/uses/kind.ts';
import type { Use } from '#shared/uses/kinds.ts';
import { addAlarms, alarmsTopic } from './alarms.ts';
import { deploymentOf } from './deployment.ts';
import { entryName, socketFile } from './entries.ts';
import { explain, FUNCTION_EXPLANATIONS } from './explain.ts';
import { addLogRole } from './log-role.ts';
import { APP, namesOf, pascal } from './names.ts';
import { addFunctions, type FunctionPlan, LogGroups, type Surroundings, variablesFor } from './operation.ts';
import { publishValue } from './parameters.ts';
import { addSocketGateway } from './socket-gateway.ts';
import type { Stage } from './stage.ts';
import { normalizeUses } from './uses.ts';
import { workerWatches } from './watches.ts';

export interface SocketsParts {
  stage: Stage;
  kinds: Kinds;
  sockets: Record<string, SocketEvent>;
  /** The code of an entry point, for example `sockets/connect`. */
  code: (entry: string) => Code;
}

const FAMILY = 'sockets';

function planOf(
  name: string,
  { route, timeout, memory, uses }: SocketEvent,
  around: Surroundings,
): FunctionPlan {
  const normal = normalizeUses(uses as readonly Use[], around.kinds);
  return {
    id: pascal(name),
    name: around.names.socket(name),
    family: FAMILY,
    entry: entryName(socketFile(name)),
    description: `${route} of sockets`,
    uses: normal,
    access: 'job',
    handler: 'handler',
    memory,
    timeout: Duration.seconds(timeout),
    environment: variablesFor(normal, 'job', around),
  };
}

/** Lets clients listen to changes. Deleting it closes their sockets, and gives them another address. */
export class SocketsStack extends Stack {
  constructor(scope: Construct, { stage, kinds, sockets, code }: SocketsParts) {
    super(scope, `${APP}-${stage.name}-Sockets`, {
      description: `Workspace API (${stage.name}): WebSocket gateway and its functions`,
      terminationProtection: stage.keep_data,
      tags: { app: APP, stage: stage.name },
    });
    explain(this, FUNCTION_EXPLANATIONS);
    const names = namesOf(stage.name);
    const around: Surroundings = { stage, names, kinds, deployment: deploymentOf(this, stage, names), code };
    const plans = Object.entries(sockets).map(([name, event]) => planOf(name, event, around));
    const made = addFunctions(this, plans, new LogGroups(this, around), around);
    const functions = Object.entries(sockets).flatMap(([name, event]) => {
      const called = made.get(pascal(name));
      return called ? { name, event, called } : [];
    });
    const { id, url, stage: deployed } = addSocketGateway(this, functions, { stage, names });
    if (stage.set_log_role) deployed.node.addDependency(addLogRole(this));
    publishValue(this, 'SocketApi', names.socket_api, id);
    publishValue(this, 'SocketUrl', names.socket_url, url);
    addAlarms(this, names, alarmsTopic(this, names), workerWatches(functions.map(({ called }) => called)));
    new CfnOutput(this, 'SocketAddress', { value: url });
  }
}
