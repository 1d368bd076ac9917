// A stand-in for NVIDIA's libcuda.so.1, for tests on machines without a GPU. Device memory is host memory, a module's image is
// "PATH#KEY" where PATH is a shared object that g++ built of CUDA C and cuda-host.h, and a launch runs the kernel on this thread.
//
// What it checks: copies and kernels stay inside allocations; memory is poisoned when it is allocated and when it is freed, and the
// bytes behind it are untouched; every handle is one that lives; the calling thread has a context; nothing is used after its release;
// streams, events, modules, functions and device memory belong to the device whose context is current. CUDA lets some calls take those of
// another device, and lets most of them take its memory: only the calls that a portable program may make so are allowed here.
// A misuse is a "violation": counted, its text kept, and answered with the error that CUDA would give.
//
// Tests control it, in this process and in others, through the file "control" beside the library, which every process maps: see
// Control below and FakeDriver.java, which knows the same offsets.
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <dlfcn.h>
#include <fcntl.h>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace {

typedef unsigned long long Address;
enum Error {
    SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_INITIALIZED = 3, NO_DEVICE = 100, INVALID_DEVICE = 101,
    INVALID_IMAGE = 200, INVALID_CONTEXT = 201, INVALID_HANDLE = 400, NOT_FOUND = 500, NOT_READY = 600, ILLEGAL_ADDRESS = 700,
    LAUNCH_OUT_OF_RESOURCES = 701, MISALIGNED_ADDRESS = 716, LAUNCH_FAILED = 719
};

// ---------------------------------------------------------------------------------------------------------------- the control file

constexpr int MAX_DEVICES = 4, MAX_CALLS = 64, MAX_PROCESSES = 32;

struct CallRow { char name[56]; std::atomic<int64_t> count; };

struct ProcessRow {
    std::atomic<int64_t> pid, allocations, pinned, streams, events, modules, contexts, launches, peakBytes, reserved[3];
    std::atomic<int64_t> bytes[MAX_DEVICES], launchesOn[MAX_DEVICES], uploadedBytes, more[11];
};

struct Control {  // zeros are the defaults; 8-byte numbers, little endian
    int64_t memoryLimitBytes;                    //    0: of each device; 0 is 1 GiB
    int64_t devices;                             //    8: 0 is one, -1 is none
    int64_t capability;                          //   16: 10 * major + minor; 0 is 90
    int64_t deferred;                            //   24: 1: what is put into a stream runs when somebody waits for it, not before
    std::atomic<int64_t> faultIn;                //   32: the call, counted from 1, that fails; counts down; 0 is none
    int64_t faultError;                          //   40: CUDA's number
    std::atomic<int64_t> faultRepeat;            //   48: how many calls in a row fail, at least 1
    char faultName[64];                          //   56: the call that is counted, empty for all of them
    std::atomic<int64_t> faultsRaised;           //  120
    std::atomic<int64_t> violations;             //  128
    char message[504];                           //  136: the latest violation
    std::atomic<int64_t> launchedThreads;        //  640
    std::atomic<int64_t> mostWaiting;            //  648: the most kernels that were put into streams and had not run
    int64_t faultStays;                          //  656: 1: after a fault all calls of that process fail with it, as after that of a kernel
    char pad[1024 - 664];
    CallRow calls[MAX_CALLS];                    // 1024: 64 bytes each
    ProcessRow processes[MAX_PROCESSES];         // 5120: 256 bytes each
};
static_assert(sizeof(CallRow) == 64 && sizeof(ProcessRow) == 256 && offsetof(Control, calls) == 1024, "FakeDriver.java knows these");
static_assert(offsetof(Control, faultName) == 56 && offsetof(Control, message) == 136 && offsetof(Control, processes) == 5120, "");

Control* mapControl() {
    Dl_info self;
    dladdr(reinterpret_cast<void*>(&mapControl), &self);
    std::string path(self.dli_fname);
    path = path.substr(0, path.find_last_of('/') + 1) + "control";
    int file = open(path.c_str(), O_RDWR | O_CREAT, 0666);
    if (file < 0 || ftruncate(file, 16384) != 0) {
        fprintf(stderr, "fake libcuda: cannot open %s\n", path.c_str());
        abort();
    }
    void* mapped = mmap(nullptr, 16384, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return static_cast<Control*>(mapped);
}

Control& control() {
    static Control* mapped = mapControl();
    return *mapped;
}

ProcessRow* claimRow() {
    for (ProcessRow& row : control().processes) {
        int64_t owner = row.pid;
        bool free = owner == 0 || (owner != getpid() && kill(static_cast<pid_t>(owner), 0) != 0);
        if (free && row.pid.compare_exchange_strong(owner, getpid())) {
            row.allocations = row.pinned = row.streams = row.events = row.modules = row.contexts = row.launches = row.peakBytes = 0;
            for (auto& bytes : row.bytes) bytes = 0;
            for (auto& launches : row.launchesOn) launches = 0;
            row.uploadedBytes = 0;
            return &row;
        }
    }
    fprintf(stderr, "fake libcuda: too many processes\n");
    abort();
}

ProcessRow& process() {
    static ProcessRow* row = claimRow();
    return *row;
}

int violation(int error, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(control().message, sizeof(control().message), format, arguments);
    va_end(arguments);
    control().violations++;
    return error;
}

// -------------------------------------------------------------------------------------------------------------------------- calls

std::recursive_mutex everything;
bool initialized;
int broken[MAX_DEVICES];  // the fault that stays, of each device
int retained[MAX_DEVICES];
thread_local int currentDevice = -1;

int deviceCount() { int64_t n = control().devices; return n == 0 ? 1 : n < 0 ? 0 : static_cast<int>(std::min<int64_t>(n, MAX_DEVICES)); }

// The rows have the same order in every process that maps the file, whichever calls first.
const char* const COUNTED[] = {
    "cuInit", "cuDriverGetVersion", "cuDeviceGetCount", "cuDeviceGet", "cuDeviceGetName", "cuDeviceGetPCIBusId",
    "cuDeviceGetUuid", "cuDeviceTotalMem", "cuDeviceGetAttribute",
    "cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRelease", "cuCtxSetCurrent", "cuCtxSynchronize", "cuMemGetInfo", "cuMemAlloc",
    "cuMemFree", "cuMemHostAlloc", "cuMemFreeHost", "cuMemHostRegister", "cuMemHostUnregister", "cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync", "cuMemcpyDtoDAsync", "cuMemsetD8Async",
    "cuStreamCreate", "cuStreamDestroy", "cuStreamSynchronize", "cuStreamQuery", "cuStreamWaitEvent", "cuEventCreate",
    "cuEventDestroy", "cuEventRecord", "cuEventQuery", "cuEventSynchronize", "cuEventElapsedTime", "cuModuleLoadData",
    "cuModuleUnload", "cuModuleGetFunction", "cuFuncGetAttribute", "cuLaunchKernel"};
static_assert(sizeof(COUNTED) / sizeof(COUNTED[0]) <= MAX_CALLS, "");

CallRow& rowOf(const char* name) {
    int index = 0;
    while (strcmp(COUNTED[index], name) != 0) index++;
    CallRow& row = control().calls[index];
    strncpy(row.name, name, sizeof(row.name) - 1);
    return row;
}

// Counts a call; the error that a test wants of it, or success.
int counted(CallRow& row) {
    row.count++;
    Control& c = control();
    if (!c.faultStays) std::fill_n(broken, MAX_DEVICES, static_cast<int>(SUCCESS));
    if (c.faultName[0] != 0 && strcmp(c.faultName, row.name) != 0) return SUCCESS;
    int64_t left = c.faultIn;
    do {
        if (left <= 0) return SUCCESS;
    } while (!c.faultIn.compare_exchange_weak(left, left - 1));
    if (left > 1) return SUCCESS;
    if (--c.faultRepeat > 0) c.faultIn = 1;
    c.faultsRaised++;
    int error = static_cast<int>(c.faultError);
    if (c.faultStays && currentDevice >= 0) broken[currentDevice] = error;
    return error;
}

#define FAKE_CALL(name) static CallRow& row = rowOf(#name); std::lock_guard<std::recursive_mutex> guard(everything); int fault = counted(row)
#define ENTER(name) FAKE_CALL(name); if (fault) return fault; if (!initialized) return violation(NOT_INITIALIZED, #name " before cuInit")
#define ENTER_CONTEXT(name) ENTER(name); if (int wrong = checkContext(#name)) return wrong; if (broken[currentDevice]) return broken[currentDevice]
// A release does its work even when it is made to fail: CUDA reports the errors of earlier work from these calls.
#define ENTER_RELEASE(name) FAKE_CALL(name); if (int wrong = checkContext(#name)) return wrong; if (broken[currentDevice]) fault = broken[currentDevice]
#define API extern "C" __attribute__((visibility("default"))) int

int checkContext(const char* call) {
    if (currentDevice < 0) return violation(INVALID_CONTEXT, "%s on a thread without a context", call);
    if (retained[currentDevice] == 0) return violation(INVALID_CONTEXT, "%s after the context was released", call);
    return SUCCESS;
}

// Whether what a call is given belongs to the device whose context is current.
int checkDevice(int device, int error, const char* call, const char* what) {
    if (device == currentDevice) return SUCCESS;
    return violation(error, "%s of %s of device %d while device %d is current", call, what, device, currentDevice);
}

// ------------------------------------------------------------------------------------------------------------------------- memory

constexpr size_t ALIGNMENT = 512, RED_ZONE = 256;
constexpr unsigned char FRESH = 0xA5, FREED = 0xDD, ZONE = 0x5A;
struct Block { size_t bytes; int device; };
std::map<Address, Block> live;          // device memory, by its first address
struct Pinned { size_t bytes; int device; bool portable; };
std::map<uintptr_t, Pinned> pinned;     // host memory of cuMemHostAlloc

// Whether a range lies in one allocation of the current device.
int checkInside(const char* call, Address address, size_t bytes) {
    auto after = live.upper_bound(address);
    if (after != live.begin()) {
        const auto& [first, block] = *--after;
        if (address + bytes <= first + block.bytes) return checkDevice(block.device, INVALID_VALUE, call, "memory");
    }
    return violation(INVALID_VALUE, "%s of %zu bytes at %#llx leaves the allocation", call, bytes, address);
}

// Whether a range touches memory that is pinned for a device: 0 not at all, 1 lies inside one allocation, -1 leaves it.
int pinning(const void* host, size_t bytes, int device) {
    uintptr_t first = reinterpret_cast<uintptr_t>(host);
    auto after = pinned.upper_bound(first);
    if (after == pinned.begin()) return 0;
    --after;
    const Pinned& memory = after->second;
    if (first >= after->first + memory.bytes || (!memory.portable && memory.device != device)) return 0;
    return first + bytes <= after->first + memory.bytes ? 1 : -1;
}

int64_t usedBytes(int device) {
    int64_t sum = 0;
    for (ProcessRow& row : control().processes) {
        int64_t pid = row.pid;
        if (pid != 0 && (pid == getpid() || kill(static_cast<pid_t>(pid), 0) == 0)) sum += row.bytes[device];
    }
    return sum;
}

int64_t limitBytes() { return control().memoryLimitBytes ? control().memoryLimitBytes : 1LL << 30; }

// ------------------------------------------------------------------------------------------------------------- streams and events

struct Stream;
struct Event { int device; Stream* stream = nullptr; uint64_t mark = 0; bool recorded = false; };
struct Stream { int device; std::deque<std::function<int()>> waiting; uint64_t put = 0, done = 0; };
std::set<Stream*> streams;
std::set<Event*> events;
int lateErrors[MAX_DEVICES];  // of work that ran when somebody waited: the next call on that device that can report it does

void runUntil(Stream* stream, uint64_t mark) {
    while (stream->done < mark && !stream->waiting.empty()) {
        auto work = stream->waiting.front();
        stream->waiting.pop_front();
        stream->done++;
        int error = work();
        if (error && !lateErrors[stream->device]) lateErrors[stream->device] = error;
    }
}

// Of the current device.
void runAll() {
    for (Stream* stream : streams) {
        if (stream->device == currentDevice) runUntil(stream, stream->put);
    }
}

int takeLateError() { int error = lateErrors[currentDevice]; lateErrors[currentDevice] = SUCCESS; return error; }

// Work in a stream: done at once, or in deferred mode when it is waited for.
int put(Stream* stream, std::function<int()> work) {
    if (!control().deferred) {
        runUntil(stream, stream->put);
        return work();
    }
    stream->waiting.push_back(std::move(work));
    stream->put++;
    return SUCCESS;
}

Stream defaultStreams[MAX_DEVICES] = {{0}, {1}, {2}, {3}};  // the null handle
int checkStream(void* handle, Stream** stream, const char* call) {
    *stream = handle ? static_cast<Stream*>(handle) : &defaultStreams[currentDevice];
    if (handle && !streams.count(*stream)) return violation(INVALID_HANDLE, "%s of a stream that does not live", call);
    return checkDevice((*stream)->device, INVALID_HANDLE, call, "a stream");
}

// CUDA lets a thread ask for, and wait for, events of any device.
int checkAnyEvent(void* handle, Event** event, const char* call) {
    *event = static_cast<Event*>(handle);
    return events.count(*event) ? SUCCESS : violation(INVALID_HANDLE, "%s of an event that does not live", call);
}

int checkEvent(void* handle, Event** event, const char* call) {
    if (int wrong = checkAnyEvent(handle, event, call)) return wrong;
    return checkDevice((*event)->device, INVALID_HANDLE, call, "an event");
}

bool finished(Event* event) { return !event->recorded || !streams.count(event->stream) || event->stream->done >= event->mark; }

// ------------------------------------------------------------------------------------------------------------------------ modules

struct Range { uintptr_t begin, end; };
struct Launch {  // cuda-host.h has the same
    const void* parameters;
    unsigned blocks, threads;
    const Range* ranges;
    size_t rangeCount;
    char* message;
    size_t messageBytes;
};
typedef int (*Kernel)(const Launch*);
struct Module { int device; void* library; std::string key; };
struct Function { Kernel run; std::string name; Module* module; };
std::set<Module*> modules;
std::map<std::pair<Module*, std::string>, std::unique_ptr<Function>> functions;

int waitingKernels;  // launched, and not run

int checkModule(Module* module, const char* call) {
    if (!modules.count(module)) return violation(INVALID_HANDLE, "%s of a module that does not live", call);
    return checkDevice(module->device, INVALID_HANDLE, call, "a module");
}

// A kernel sees the memory of its own device alone: none has been made a peer.
int run(int device, Kernel kernel, const std::vector<uint64_t>& parameters, unsigned blocks, unsigned threads) {
    std::vector<Range> ranges;
    for (const auto& [first, block] : live) {
        if (block.device == device) ranges.push_back({static_cast<uintptr_t>(first), static_cast<uintptr_t>(first + block.bytes)});
    }
    char message[400] = "";
    Launch launch{parameters.data(), blocks, threads, ranges.data(), ranges.size(), message, sizeof(message)};
    int error = kernel(&launch);
    return error ? violation(error, "%s", message) : SUCCESS;
}

}  // namespace

// ------------------------------------------------------------------------------------------------------- the driver and its devices

API cuInit(unsigned) {
    FAKE_CALL(cuInit);
    if (fault) return fault;
    if (deviceCount() == 0) return NO_DEVICE;
    initialized = true;
    return SUCCESS;
}
API cuDriverGetVersion(int* version) { FAKE_CALL(cuDriverGetVersion); if (fault) return fault; *version = 12060; return SUCCESS; }
// NVRTC asks for it, without looking whether there is any; a driver that has not the table says so.
API cuGetExportTable(const void** table, const void*) { *table = nullptr; return NOT_FOUND; }
API cuDeviceGetCount(int* count) { ENTER(cuDeviceGetCount); *count = deviceCount(); return SUCCESS; }
API cuDeviceGet(int* device, int ordinal) {
    ENTER(cuDeviceGet);
    if (ordinal < 0 || ordinal >= deviceCount()) return INVALID_DEVICE;
    *device = ordinal;
    return SUCCESS;
}
API cuDeviceGetName(char* name, int length, int device) { ENTER(cuDeviceGetName); snprintf(name, length, "Fake GPU %d", device); return SUCCESS; }
API cuDeviceGetPCIBusId(char* id, int length, int device) { ENTER(cuDeviceGetPCIBusId); snprintf(id, length, "0000:%02x:00.0", device + 1); return SUCCESS; }
API cuDeviceGetUuid(unsigned char* uuid, int device) {
    ENTER(cuDeviceGetUuid);
    const unsigned char bytes[16] = {0x89, 0x32, 0xf9, 0x37, 0xd7, 0x2c, 0x41, 0x06, 0xc1, 0x2f, 0x20, 0xbd, 0x9f, 0xae, 0xd9, 0xf0};
    memcpy(uuid, bytes, 16);
    uuid[15] += device;
    return SUCCESS;
}
API cuDeviceTotalMem_v2(size_t* bytes, int) { ENTER(cuDeviceTotalMem); *bytes = limitBytes(); return SUCCESS; }
API cuDeviceGetAttribute(int* value, int attribute, int) {
    ENTER(cuDeviceGetAttribute);
    int capability = control().capability ? static_cast<int>(control().capability) : 90;
    switch (attribute) {
        case 1: *value = 1024; break;        // threads of a block
        case 10: *value = 32; break;         // threads of a warp
        case 16: *value = 132; break;        // multiprocessors
        case 75: *value = capability / 10; break;
        case 76: *value = capability % 10; break;
        default: *value = 1;
    }
    return SUCCESS;
}

API cuDevicePrimaryCtxRetain(void** context, int device) {
    ENTER(cuDevicePrimaryCtxRetain);
    if (device < 0 || device >= deviceCount()) return INVALID_DEVICE;
    if (retained[device]++ == 0) process().contexts++;
    *context = reinterpret_cast<void*>(static_cast<intptr_t>(device + 1));
    return SUCCESS;
}
API cuDevicePrimaryCtxRelease_v2(int device) {
    FAKE_CALL(cuDevicePrimaryCtxRelease);
    if (device < 0 || device >= MAX_DEVICES || retained[device] == 0) return violation(INVALID_CONTEXT, "cuDevicePrimaryCtxRelease of a context that nobody holds");
    if (--retained[device] == 0) {
        process().contexts--;
        lateErrors[device] = SUCCESS;
    }
    return fault;
}
API cuCtxSetCurrent(void* context) {
    ENTER(cuCtxSetCurrent);
    int device = static_cast<int>(reinterpret_cast<intptr_t>(context)) - 1;
    if (device >= 0 && (device >= MAX_DEVICES || retained[device] == 0)) return violation(INVALID_CONTEXT, "cuCtxSetCurrent of a context that does not live");
    currentDevice = device;
    return SUCCESS;
}
API cuCtxGetCurrent(void** context) { *context = reinterpret_cast<void*>(static_cast<intptr_t>(currentDevice + 1)); return SUCCESS; }
API cuCtxSynchronize() { ENTER_CONTEXT(cuCtxSynchronize); runAll(); return takeLateError(); }

// ------------------------------------------------------------------------------------------------------------------------- memory

API cuMemGetInfo_v2(size_t* free, size_t* total) {
    ENTER_CONTEXT(cuMemGetInfo);
    *total = limitBytes();
    *free = std::max<int64_t>(0, limitBytes() - usedBytes(currentDevice));
    return SUCCESS;
}
API cuMemAlloc_v2(Address* address, size_t bytes) {
    ENTER_CONTEXT(cuMemAlloc);
    if (bytes == 0) return violation(INVALID_VALUE, "cuMemAlloc of no bytes");
    if (usedBytes(currentDevice) + static_cast<int64_t>(bytes) > limitBytes()) return OUT_OF_MEMORY;
    size_t whole = (bytes + RED_ZONE + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    void* memory = aligned_alloc(ALIGNMENT, whole);
    if (!memory) return OUT_OF_MEMORY;
    memset(memory, FRESH, bytes);
    memset(static_cast<char*>(memory) + bytes, ZONE, RED_ZONE);
    *address = reinterpret_cast<Address>(memory);
    live[*address] = {bytes, currentDevice};
    process().allocations++;
    int64_t now = process().bytes[currentDevice] += bytes;
    if (now > process().peakBytes) process().peakBytes = now;
    return SUCCESS;
}
API cuMemFree_v2(Address address) {
    ENTER_RELEASE(cuMemFree);
    auto found = live.find(address);
    if (found == live.end()) return violation(INVALID_VALUE, "cuMemFree of %#llx, which is no allocation", address);
    if (int wrong = checkDevice(found->second.device, INVALID_VALUE, "cuMemFree", "memory")) return wrong;
    runAll();
    char* memory = reinterpret_cast<char*>(address);
    size_t bytes = found->second.bytes;
    for (size_t i = 0; i < RED_ZONE; i++) {
        if (static_cast<unsigned char>(memory[bytes + i]) != ZONE) {
            violation(0, "a kernel wrote %zu bytes behind an allocation of %zu bytes", i, bytes);
            break;
        }
    }
    process().allocations--;
    process().bytes[found->second.device] -= bytes;
    live.erase(found);
    memset(memory, FREED, bytes);
    free(memory);
    int late = takeLateError();
    return fault ? fault : late;
}
API cuMemHostAlloc(void** host, size_t bytes, unsigned flags) {
    ENTER_CONTEXT(cuMemHostAlloc);
    if (bytes == 0) return violation(INVALID_VALUE, "cuMemHostAlloc of no bytes");
    *host = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    if (!*host) return OUT_OF_MEMORY;
    memset(*host, FRESH, bytes);
    pinned[reinterpret_cast<uintptr_t>(*host)] = {bytes, currentDevice, (flags & 1) != 0};
    process().pinned++;
    return SUCCESS;
}
API cuMemHostRegister_v2(void* host, size_t bytes, unsigned flags) {
    ENTER_CONTEXT(cuMemHostRegister);
    if (pinning(host, bytes, currentDevice) != 0) return violation(712, "cuMemHostRegister of memory that is pinned already");
    pinned[reinterpret_cast<uintptr_t>(host)] = {bytes, currentDevice, (flags & 1) != 0};
    process().pinned++;
    return SUCCESS;
}
API cuMemHostUnregister(void* host) {
    ENTER_RELEASE(cuMemHostUnregister);
    auto found = pinned.find(reinterpret_cast<uintptr_t>(host));
    if (found == pinned.end()) return violation(713, "cuMemHostUnregister of memory that is not pinned");
    pinned.erase(found);
    process().pinned--;
    return fault;
}
API cuMemFreeHost(void* host) {
    ENTER_RELEASE(cuMemFreeHost);
    auto found = pinned.find(reinterpret_cast<uintptr_t>(host));
    if (found == pinned.end()) return violation(INVALID_VALUE, "cuMemFreeHost of memory that is not pinned");
    runAll();
    memset(host, FREED, found->second.bytes);
    pinned.erase(found);
    process().pinned--;
    free(host);
    return fault;
}

namespace {
// A copy runs with its stream, also one from memory that is not pinned: CUDA does not say when it reads that. To such memory it runs before the call returns.
int copy(Stream* stream, void* to, const void* from, size_t bytes, const void* host, const char* call) {
    int pin = host ? pinning(host, bytes, stream->device) : 1;
    if (pin < 0) return violation(INVALID_VALUE, "%s of %zu bytes leaves the pinned buffer", call, bytes);
    if (pin == 0 && host == to) {
        runUntil(stream, stream->put);
        memcpy(to, from, bytes);
        return takeLateError();
    }
    return put(stream, [stream, to, from, bytes, host, pin, call] {
        if (host && pin && pinning(host, bytes, stream->device) != 1) return violation(ILLEGAL_ADDRESS, "%s: the pinned buffer was freed before the copy ran", call);
        memcpy(to, from, bytes);
        return static_cast<int>(SUCCESS);
    });
}
}  // namespace

API cuMemcpyHtoDAsync_v2(Address to, const void* from, size_t bytes, void* handle) {
    ENTER_CONTEXT(cuMemcpyHtoDAsync);
    Stream* stream;
    if (int wrong = checkStream(handle, &stream, "cuMemcpyHtoDAsync")) return wrong;
    if (int wrong = checkInside("cuMemcpyHtoDAsync", to, bytes)) return wrong;
    process().uploadedBytes += bytes;
    return copy(stream, reinterpret_cast<void*>(to), from, bytes, from, "cuMemcpyHtoDAsync");
}
API cuMemcpyDtoHAsync_v2(void* to, Address from, size_t bytes, void* handle) {
    ENTER_CONTEXT(cuMemcpyDtoHAsync);
    Stream* stream;
    if (int wrong = checkStream(handle, &stream, "cuMemcpyDtoHAsync")) return wrong;
    if (int wrong = checkInside("cuMemcpyDtoHAsync", from, bytes)) return wrong;
    return copy(stream, to, reinterpret_cast<void*>(from), bytes, to, "cuMemcpyDtoHAsync");
}
API cuMemcpyDtoDAsync_v2(Address to, Address from, size_t bytes, void* handle) {
    ENTER_CONTEXT(cuMemcpyDtoDAsync);
    Stream* stream;
    if (int wrong = checkStream(handle, &stream, "cuMemcpyDtoDAsync")) return wrong;
    if (int wrong = checkInside("cuMemcpyDtoDAsync", from, bytes)) return wrong;
    if (int wrong = checkInside("cuMemcpyDtoDAsync", to, bytes)) return wrong;
    return copy(stream, reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), bytes, nullptr, "cuMemcpyDtoDAsync");
}
API cuMemsetD8Async(Address to, unsigned char value, size_t bytes, void* handle) {
    ENTER_CONTEXT(cuMemsetD8Async);
    Stream* stream;
    if (int wrong = checkStream(handle, &stream, "cuMemsetD8Async")) return wrong;
    if (int wrong = checkInside("cuMemsetD8Async", to, bytes)) return wrong;
    return put(stream, [to, value, bytes] { memset(reinterpret_cast<void*>(to), value, bytes); return static_cast<int>(SUCCESS); });
}

// ------------------------------------------------------------------------------------------------------------- streams and events

API cuStreamCreate(void** handle, unsigned) {
    ENTER_CONTEXT(cuStreamCreate);
    Stream* stream = new Stream{currentDevice};
    streams.insert(stream);
    process().streams++;
    *handle = stream;
    return SUCCESS;
}
API cuStreamDestroy_v2(void* handle) {
    ENTER_RELEASE(cuStreamDestroy);
    Stream* stream;
    if (int wrong = checkStream(handle, &stream, "cuStreamDestroy")) return wrong;
    runUntil(stream, stream->put);
    streams.erase(stream);
    process().streams--;
    delete stream;
    int late = takeLateError();
    return fault ? fault : late;
}
API cuStreamSynchronize(void* handle) {
    ENTER_CONTEXT(cuStreamSynchronize);
    Stream* stream;
    if (int wrong = checkStream(handle, &stream, "cuStreamSynchronize")) return wrong;
    runUntil(stream, stream->put);
    return takeLateError();
}
API cuStreamQuery(void* handle) {
    ENTER_CONTEXT(cuStreamQuery);
    Stream* stream;
    if (int wrong = checkStream(handle, &stream, "cuStreamQuery")) return wrong;
    return stream->waiting.empty() ? takeLateError() : static_cast<int>(NOT_READY);
}
API cuStreamWaitEvent(void* handle, void* eventHandle, unsigned) {
    ENTER_CONTEXT(cuStreamWaitEvent);
    Stream* stream;
    Event* event;
    if (int wrong = checkStream(handle, &stream, "cuStreamWaitEvent")) return wrong;
    if (int wrong = checkAnyEvent(eventHandle, &event, "cuStreamWaitEvent")) return wrong;
    Stream* other = event->recorded ? event->stream : nullptr;
    uint64_t mark = event->mark;
    if (!other || other == stream) return SUCCESS;
    return put(stream, [other, mark] { if (streams.count(other)) runUntil(other, mark); return static_cast<int>(SUCCESS); });
}
API cuEventCreate(void** handle, unsigned) {
    ENTER_CONTEXT(cuEventCreate);
    Event* event = new Event{currentDevice};
    events.insert(event);
    process().events++;
    *handle = event;
    return SUCCESS;
}
API cuEventDestroy_v2(void* handle) {
    ENTER_RELEASE(cuEventDestroy);
    Event* event;
    if (int wrong = checkEvent(handle, &event, "cuEventDestroy")) return wrong;
    events.erase(event);
    process().events--;
    delete event;
    return fault;
}
API cuEventRecord(void* handle, void* streamHandle) {
    ENTER_CONTEXT(cuEventRecord);
    Event* event;
    Stream* stream;
    if (int wrong = checkEvent(handle, &event, "cuEventRecord")) return wrong;
    if (int wrong = checkStream(streamHandle, &stream, "cuEventRecord")) return wrong;
    *event = Event{event->device, stream, stream->put, true};
    return SUCCESS;
}
API cuEventQuery(void* handle) {
    ENTER_CONTEXT(cuEventQuery);
    Event* event;
    if (int wrong = checkAnyEvent(handle, &event, "cuEventQuery")) return wrong;
    return finished(event) ? takeLateError() : static_cast<int>(NOT_READY);
}
API cuEventSynchronize(void* handle) {
    ENTER_CONTEXT(cuEventSynchronize);
    Event* event;
    if (int wrong = checkAnyEvent(handle, &event, "cuEventSynchronize")) return wrong;
    if (!finished(event)) runUntil(event->stream, event->mark);
    return takeLateError();
}
API cuEventElapsedTime(float* milliseconds, void* begin, void* end) {
    ENTER_CONTEXT(cuEventElapsedTime);
    Event *first, *second;
    if (int wrong = checkEvent(begin, &first, "cuEventElapsedTime")) return wrong;
    if (int wrong = checkEvent(end, &second, "cuEventElapsedTime")) return wrong;
    if (!first->recorded || !second->recorded) return violation(INVALID_HANDLE, "cuEventElapsedTime of an event that was not recorded");
    if (!finished(first) || !finished(second)) return NOT_READY;
    *milliseconds = 1;
    return SUCCESS;
}

// ------------------------------------------------------------------------------------------------------------ modules and kernels

API cuModuleLoadData(void** handle, const void* image) {
    ENTER_CONTEXT(cuModuleLoadData);
    std::string text(static_cast<const char*>(image));
    size_t hash = text.find_last_of('#');
    if (text.empty() || text[0] != '/' || hash == std::string::npos) return violation(INVALID_IMAGE, "cuModuleLoadData of no image");
    void* library = dlopen(text.substr(0, hash).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) return violation(INVALID_IMAGE, "%s", dlerror());
    Module* module = new Module{currentDevice, library, text.substr(hash + 1)};
    modules.insert(module);
    process().modules++;
    *handle = module;
    return SUCCESS;
}
API cuModuleUnload(void* handle) {
    ENTER_RELEASE(cuModuleUnload);
    Module* module = static_cast<Module*>(handle);
    if (int wrong = checkModule(module, "cuModuleUnload")) return wrong;
    modules.erase(module);
    runAll();
    for (auto it = functions.begin(); it != functions.end();) it = it->first.first == module ? functions.erase(it) : std::next(it);
    dlclose(module->library);
    delete module;
    process().modules--;
    return fault;
}
API cuModuleGetFunction(void** handle, void* moduleHandle, const char* name) {
    ENTER_CONTEXT(cuModuleGetFunction);
    Module* module = static_cast<Module*>(moduleHandle);
    if (int wrong = checkModule(module, "cuModuleGetFunction")) return wrong;
    size_t slash = module->key.find('/');  // KEY/ENTRY: that kernel, whatever it is asked for
    std::string kernel = slash == std::string::npos ? module->key + "_" + name : module->key.substr(0, slash) + "_" + module->key.substr(slash + 1);
    void* symbol = dlsym(module->library, ("run_" + kernel).c_str());
    if (!symbol) return NOT_FOUND;
    auto& function = functions[{module, name}];
    if (!function) function.reset(new Function{reinterpret_cast<Kernel>(symbol), kernel, module});
    *handle = function.get();
    return SUCCESS;
}
API cuFuncGetAttribute(int* value, int attribute, void*) { ENTER_CONTEXT(cuFuncGetAttribute); *value = attribute == 0 ? 1024 : 0; return SUCCESS; }
API cuLaunchKernel(void* handle, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY, unsigned blockZ,
                   unsigned sharedBytes, void* streamHandle, void** parameters, void**) {
    ENTER_CONTEXT(cuLaunchKernel);
    Function* function = static_cast<Function*>(handle);
    bool lives = std::any_of(functions.begin(), functions.end(), [function](const auto& f) { return f.second.get() == function; });
    if (!lives) return violation(INVALID_HANDLE, "cuLaunchKernel of a function whose module does not live");
    if (int wrong = checkModule(function->module, "cuLaunchKernel")) return wrong;
    Stream* stream;
    if (int wrong = checkStream(streamHandle, &stream, "cuLaunchKernel")) return wrong;
    if (gridX == 0 || gridX > 0x7fffffffu || gridY != 1 || gridZ != 1 || blockX == 0 || blockX > 1024 || blockY != 1 || blockZ != 1 || sharedBytes != 0)
        return violation(INVALID_VALUE, "cuLaunchKernel of %u x %u x %u blocks of %u x %u x %u threads", gridX, gridY, gridZ, blockX, blockY, blockZ);
    typedef size_t (*Size)();
    Size size = reinterpret_cast<Size>(dlsym(function->module->library, ("parameters_" + function->name).c_str()));
    std::vector<uint64_t> copied(size() / 8 + 1);
    memcpy(copied.data(), parameters[0], size());
    process().launches++;
    process().launchesOn[currentDevice]++;
    control().launchedThreads += static_cast<int64_t>(gridX) * blockX;
    Kernel kernel = function->run;
    waitingKernels++;
    control().mostWaiting = std::max<int64_t>(control().mostWaiting, waitingKernels);
    return put(stream, [stream, kernel, copied, gridX, blockX] {
        waitingKernels--;
        return run(stream->device, kernel, copied, gridX, blockX);
    });
}

// ------------------------------------------------------------------------------------------------------------------------- errors

namespace {
struct Named { int error; const char* name; const char* text; };
const Named NAMES[] = {
    {0, "CUDA_SUCCESS", "no error"}, {1, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"}, {3, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {100, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"}, {101, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {200, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"}, {201, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {209, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"},
    {214, "CUDA_ERROR_ECC_UNCORRECTABLE", "uncorrectable ECC error encountered"},
    {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "the provided PTX was compiled with an unsupported toolchain."},
    {304, "CUDA_ERROR_OPERATING_SYSTEM", "OS call failed or operation not supported on this OS"},
    {400, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"}, {500, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {600, "CUDA_ERROR_NOT_READY", "device not ready"}, {700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"},
    {716, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"}, {719, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {999, "CUDA_ERROR_UNKNOWN", "unknown error"}};
const Named* named(int error) {
    for (const Named& row : NAMES) if (row.error == error) return &row;
    return nullptr;
}
}  // namespace

API cuGetErrorName(int error, const char** name) { const Named* row = named(error); *name = row ? row->name : nullptr; return row ? SUCCESS : INVALID_VALUE; }
API cuGetErrorString(int error, const char** text) { const Named* row = named(error); *text = row ? row->text : nullptr; return row ? SUCCESS : INVALID_VALUE; }
