export { startPlatform, type Platform } from './platform';
export type { Limits, PlatformOptions, Resolve } from './options';
export { Control } from './control';
export { PROFILES, type ProfileName } from './profiles';
export type * from './control-shown';
export type * from './control-types';
