import { ArnFormat, Aws, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnApi, CfnIntegration, CfnRoute, CfnRouteResponse, CfnStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { SocketEvent } from '#shared/queues/queues.ts';
import { explain } from './explain.ts';
import { APP, type Names, pascal } from './names.ts';
import type { Stage } from './stage.ts';

/** One line for each event of a socket. Never the query, which holds the ticket, nor what clients send. */
const ACCESS_LOG = {
  request_id: '$context.requestId',
  time: '$context.requestTimeEpoch',
  ip: '$context.identity.sourceIp',
  route: '$context.routeKey',
  connection_id: '$context.connectionId',
  status: '$context.status',
  integration_status: '$context.integrationStatus',
  integration_latency_ms: '$context.integrationLatency',
};

export interface SocketFunction {
  name: string;
  event: SocketEvent;
  called: LambdaFunction;
}

/** A client gets what the function of this route returns. */
const ANSWERED = '$default';

function addInvokeRole(scope: Construct, functions: SocketFunction[]): Role {
  return new Role(scope, 'InvokeRole', {
    assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
    description: 'Lets API Gateway call the functions of sockets',
    inlinePolicies: {
      invoke: new PolicyDocument({
        statements: [
          new PolicyStatement({
            actions: ['lambda:InvokeFunction'],
            resources: functions.map(({ called }) => called.functionArn),
          }),
        ],
      }),
    },
  });
}

function addRoute(
  scope: Construct,
  api: CfnApi,
  role: Role,
  { name, event, called }: SocketFunction,
): CfnRoute {
  const id = pascal(name);
  const integration = new CfnIntegration(scope, `${id}Integration`, {
    apiId: api.ref,
    integrationType: 'AWS_PROXY',
    integrationUri: `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}:lambda:path/2015-03-31/functions/${called.functionArn}/invocations`,
    credentialsArn: role.roleArn,
  });
  const answers = event.route === ANSWERED;
  const route = new CfnRoute(scope, `${id}Route`, {
    apiId: api.ref,
    routeKey: event.route,
    authorizationType: 'NONE',
    target: `integrations/${integration.ref}`,
    ...(answers ? { routeResponseSelectionExpression: '$default' } : {}),
  });
  if (answers)
    new CfnRouteResponse(scope, `${id}Response`, {
      apiId: api.ref,
      routeId: route.ref,
      routeResponseKey: '$default',
    });
  explain(route, {
    'AwsSolutions-APIG4':
      'The function of $connect lets in who has a ticket, which it uses up; the other routes are of sockets that are in.',
  });
  return route;
}

export interface SocketGateway {
  stage: CfnStage;
  id: string;
  /** wss:// */
  url: string;
}

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api.html */
export function addSocketGateway(
  scope: Construct,
  functions: SocketFunction[],
  { stage, names }: { stage: Stage; names: Names },
): SocketGateway {
  const api = new CfnApi(scope, 'Gateway', {
    name: `${APP}-${stage.name}-sockets`,
    protocolType: 'WEBSOCKET',
    routeSelectionExpression: '$request.body.type',
  });
  const role = addInvokeRole(scope, functions);
  const routes = functions.map((each) => addRoute(scope, api, role, each));
  const logs = new LogGroup(scope, 'ExecutionLogs', {
    logGroupName: `/aws/apigateway/${api.ref}/${stage.name}`,
    retention: stage.log_retention,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const accessLogs = LogGroup.fromLogGroupName(scope, 'AccessLogs', names.log_group('access'));
  const deployed = new CfnStage(scope, 'Stage', {
    apiId: api.ref,
    stageName: stage.name,
    autoDeploy: true,
    accessLogSettings: {
      destinationArn: Stack.of(scope).formatArn({
        service: 'logs',
        resource: 'log-group',
        resourceName: accessLogs.logGroupName,
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      }),
      format: JSON.stringify(ACCESS_LOG),
    },
    defaultRouteSettings: {
      loggingLevel: 'ERROR',
      dataTraceEnabled: false,
      throttlingRateLimit: stage.throttle.rate,
      throttlingBurstLimit: stage.throttle.burst,
    },
  });
  for (const each of [logs, ...routes]) deployed.node.addDependency(each);
  const { region, urlSuffix } = Stack.of(scope);
  return {
    stage: deployed,
    id: api.ref,
    url: `wss://${api.ref}.execute-api.${region}.${urlSuffix}/${stage.name}`,
  };
}
