export { startPlatform, type Platform } from './platform';
export type { Limits, PlatformOptions, Resolve } from './options';
export { Control } from './control';
export type * from './control-shown';
export type * from './control-types';
