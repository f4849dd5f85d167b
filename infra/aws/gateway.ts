import { Aws, type CfnOutput, Fn, RemovalPolicy, Size, Stack } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  ApiDefinition,
  EndpointType,
  LogGroupLogDestination,
  MethodLoggingLevel,
  SpecRestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { CfnFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import type { Operation } from '#shared/api/catalogue.ts';
import { addDomain } from './domain.ts';
import { explain, explainWildcards } from './explain.ts';
import { gatewayDefinition } from './gateway-definition.ts';
import { APP, type Names, pascal } from './names.ts';
import { isStreamed, STREAM_TIMEOUT } from './operation.ts';
import type { Stage } from './stage.ts';

/** Bytes from which responses are compressed, for clients that accept it. Streams compress themselves. */
const COMPRESS_FROM = 1_024;

/** One line for each request. No query string, headers or body: they may contain personal data and secrets. */
const ACCESS_LOG = {
  request_id: '$context.requestId',
  time: '$context.requestTimeEpoch',
  ip: '$context.identity.sourceIp',
  method: '$context.httpMethod',
  resource: '$context.resourcePath',
  path: '$context.path',
  status: '$context.status',
  gateway_response: '$context.error.responseType',
  integration_status: '$context.integration.status',
  latency_ms: '$context.responseLatency',
  integration_latency_ms: '$context.integrationLatency',
  response_bytes: '$context.responseLength',
  trace_id: '$context.xrayTraceId',
};

/**
 * API Gateway calls the functions with one role, which saves a permission (a resource) for each. The same action
 * permits streaming: https://docs.aws.amazon.com/lambda/latest/api/API_InvokeWithResponseStream.html
 */
function addInvokeRole(scope: Construct, names: Names): Role {
  const functions = `arn:${Aws.PARTITION}:lambda:${Aws.REGION}:${Aws.ACCOUNT_ID}:function:${names.operation_prefix}*`;
  const role = new Role(scope, 'InvokeRole', {
    assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
    description: 'Lets API Gateway call the functions of the operations',
    inlinePolicies: {
      invoke: new PolicyDocument({
        statements: [new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functions] })],
      }),
    },
  });
  explainWildcards(
    role,
    [functions],
    () =>
      'The prefix names the functions behind this API and no others; a list of 200 would not fit a policy.',
  );
  return role;
}

interface Parts {
  stage: Stage;
  names: Names;
  operations: Operation[];
  /** By the construct id of the operation; `NotFound` for other paths. */
  functions: Map<string, LambdaFunction>;
}

/** A function that returns its whole response, and one that streams it. */
const at_once = { path: '2015-03-31/functions/ARN/invocations' };
const streaming = {
  path: '2021-11-15/functions/ARN/response-streaming-invocations',
  responseTransferMode: 'STREAM',
  timeoutInMillis: STREAM_TIMEOUT.toMilliseconds(),
};

/** Integrations as API Gateway requires them: always a POST to the function, for every method. */
function integrationsOf(scope: Construct, role: Role, { functions, stage }: Parts) {
  const stack = Stack.of(scope);
  const integration = (id: string, { path, ...mode }: { path: string } = at_once) => {
    const target = functions.get(id);
    if (!target) throw new Error(`There is no function ${id}`);
    const logicalId = stack.resolve(stack.getLogicalId(target.node.defaultChild as CfnFunction));
    const called = path.replace('ARN', `\${${logicalId}.Arn}`);
    return {
      type: 'aws_proxy',
      httpMethod: 'POST',
      uri: Fn.sub(`arn:\${AWS::Partition}:apigateway:\${AWS::Region}:lambda:path/${called}`),
      credentials: role.roleArn,
      ...mode,
    };
  };
  return {
    of: (operation: Operation) =>
      integration(pascal(operation.name), isStreamed(operation, stage) ? streaming : at_once),
    notFound: integration('NotFound'),
  };
}

/** Errors of the gateway itself go to a log group with a fixed name, which would otherwise keep them forever. */
function addExecutionLogs(scope: Construct, api: SpecRestApi, stage: Stage): void {
  const logs = new LogGroup(scope, 'ExecutionLogs', {
    logGroupName: `API-Gateway-Execution-Logs_${api.restApiId}/${stage.name}`,
    retention: stage.log_retention,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  api.deploymentStage.node.addDependency(logs);
}

const EXPLANATIONS = {
  'AwsSolutions-APIG2': 'Each function validates its request, and reports all bad fields at once.',
};

/** The web ACL of the configuration, if there is one. */
function addFirewall(scope: Construct, api: SpecRestApi, { web_acl_arn: webAclArn }: Stage): void {
  if (webAclArn)
    new CfnWebACLAssociation(scope, 'WebAcl', { resourceArn: api.deploymentStage.stageArn, webAclArn });
  else
    explain(api, {
      'AwsSolutions-APIG3':
        'A web ACL has a monthly price and its rules depend on the clients: -c webAclArn=... puts one before the API.',
    });
}

export function addGateway(scope: Construct, parts: Parts): SpecRestApi {
  const { stage, names, operations } = parts;
  const title = `${APP}-${stage.name}`;
  const integrations = integrationsOf(scope, addInvokeRole(scope, names), parts);
  const appearance = {
    browsers: stage.cors_origins.length > 0,
    own_domain: stage.domain !== undefined,
  };
  const accessLogs = LogGroup.fromLogGroupName(scope, 'AccessLogs', names.log_group('access'));
  const api = new SpecRestApi(scope, 'Gateway', {
    restApiName: title,
    apiDefinition: ApiDefinition.fromInline(gatewayDefinition(title, operations, integrations, appearance)),
    endpointTypes: [EndpointType.REGIONAL],
    // A path begins with the stage there: one address only, so that links in errors fit.
    ...(stage.domain ? { disableExecuteApiEndpoint: true } : {}),
    minCompressionSize: Size.bytes(COMPRESS_FROM),
    // The stack of sockets sets it, because it is deployed first.
    cloudWatchRole: false,
    deployOptions: {
      stageName: stage.name,
      accessLogDestination: new LogGroupLogDestination(accessLogs),
      accessLogFormat: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
      loggingLevel: MethodLoggingLevel.ERROR,
      dataTraceEnabled: false,
      metricsEnabled: false,
      tracingEnabled: true,
      throttlingRateLimit: stage.throttle.rate,
      throttlingBurstLimit: stage.throttle.burst,
    },
  });
  addExecutionLogs(scope, api, stage);
  addFirewall(scope, api, stage);
  addDomain(scope, api, stage);
  explain(api, EXPLANATIONS);
  (api.node.findChild('Endpoint') as CfnOutput).overrideLogicalId('ApiUrl');
  return api;
}
