/**
 * n8n's own engine in the test process: real n8n-core, real expressions, requests, binary data and contexts; what
 * n8n's server adds to them (database, credentials, web server) is played by this folder. `./stage` sets up a platform
 * with a bot and runs the package's nodes against it.
 */
export { readBinary, storeBinary } from './binary';
export type { CredentialData } from './credentials';
export { runNode, type NodeResult, type NodeRun } from './engine';
export type { Cancelable, ShownError } from './execution';
export { loadOptions, searchList } from './loadOptions';
export type { BinaryMode, LogLine } from './scope';
export { asTool, runTool, type ToolResult, type ToolRun } from './tool';
export { TriggerHost, type EndedExecution, type TriggerOptions } from './trigger';
export { runWorkflow, type WorkflowResult, type WorkflowRun } from './workflow';
